// @module-tag full
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { maxBodySize } from "#server/http/request.ts";
import { contract } from "#src/api/contract.ts";
import { clientAt } from "#tests/support/client/client.ts";
import { createLargeBody, payloads, repeatedTexts, textFields } from "#tests/support/contract/payloads.ts";
import { engines, newPostgres } from "#tests/support/database/database.ts";
import {
  copySources,
  deliveredTo,
  newFolder,
  runScript,
  spawnServer,
  startServer,
  stopServersAndRemoveFolders,
  withPostgres,
} from "#tests/support/processes/child-process.ts";

const open = new Set<Socket>();

/** Opens connections that stay open on the client's side, even after the server closes its side. */
async function openConnections(origin: string, texts: string[]): Promise<void> {
  const { port } = new URL(origin);
  await Promise.all(
    texts.map(async (text) => {
      const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
      open.add(socket);
      socket.on("error", () => {}).resume();
      await once(socket, "connect");
      if (text) socket.write(text);
    }),
  );
}

const unfinished = [
  "",
  "GET /v1/goods/allLists HT",
  "GET /v1/goods/allLists HTTP/1.1\r\nHost: x\r\nAccept: ",
  'POST /v1/goods/info HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 22\r\n\r\n{"good',
  "POST /v1/goods/info HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{",
  "NONSENSE\r\n\r\n",
];
const texts = Array.from({ length: 50 }, () => unfinished).flat();

/** Requests a file and reads 1 KB per second. `readOn` reads the rest and resolves with the total bytes. */
async function readSlowly(origin: string, path: string) {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  open.add(socket);
  await once(socket, "connect");
  let bytes = 0;
  let failure = "";
  socket.on("error", ({ message }) => (failure = message));
  socket.on("data", (part) => (bytes += part.byteLength));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await once(socket, "data");
  socket.pause();
  const reading = setInterval(() => socket.read(1024), 1_000);
  return {
    async readOn() {
      clearInterval(reading);
      socket.resume();
      await once(socket, "close");
      return { bytes, failure };
    },
  };
}

describe("connections with an incomplete request", () => {
  afterEach(async () => {
    for (const socket of open) socket.destroy();
    open.clear();
  });

  it.skipIf(process.platform !== "linux")(
    "are closed within 60 s, also half-open ones, while a slow download completes",
    async () => {
      const SITE_DIR = newFolder();
      const size = 40 * 1024 * 1024;
      writeFileSync(join(SITE_DIR, "film.mp4"), Buffer.alloc(size, 7));
      writeFileSync(join(SITE_DIR, "build.json"), "{}");
      const { origin, child } = await startServer({ DATA_DIR: newFolder("seeded"), SITE_DIR });
      const descriptors = () => readdirSync(`/proc/${child.pid}/fd`).length;
      const reader = await readSlowly(origin, "/film.mp4");
      const before = descriptors();
      await openConnections(origin, texts);
      await expect.poll(descriptors, { timeout: 5_000 }).toBeGreaterThan(before + texts.length / 2);
      await expect.poll(descriptors, { timeout: 60_000, interval: 500 }).toBeLessThanOrEqual(before);
      expect((await fetch(`${origin}/readyz`)).status).toBe(200);
      const { bytes, failure } = await reader.readOn();
      expect(failure).toBe("");
      expect(bytes).toBeGreaterThan(size);
    },
    120_000,
  );

  it("do not delay the shutdown of the server", async () => {
    const server = await startServer({ DATA_DIR: newFolder("seeded") });
    await openConnections(server.origin, texts);
    await fetch(`${server.origin}/healthz`);
    // Three times the 10 s that an end may take on an idle machine.
    const late = new Promise<never>((_, reject) => setTimeout(reject, 30_000, new Error("it did not end in time")).unref());
    server.child.kill("SIGTERM");
    const { status, output } = await Promise.race([server.ended, late]);
    expect({ status, failures: output.match(/failed/g) }).toEqual({ status: 0, failures: null });
  });
});

describe.skipIf(!engines.includes("PostgreSQL"))("the server on an unreliable PostgreSQL", () => {
  it("recovers after its database connections are terminated", async () => {
    const url = await newPostgres();
    const server = await startServer(withPostgres(url, newFolder()));
    const fetchGoods = async () => (await clientAt(server.origin).send(contract.goodsLists)).status;
    expect(await fetchGoods()).toBe(200);
    const client = new Client(url);
    await client.connect();
    for (let round = 0; round < 3; round += 1) {
      const requests = Promise.all(Array.from({ length: 30 }, fetchGoods));
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      expect((await requests).every((status) => status === 200 || status === 503)).toBe(true);
    }
    await client.end();
    await expect.poll(fetchGoods, { timeout: 5_000 }).toBe(200);
    expect(server.child.exitCode).toBeNull();
  });

  it("does not start without PostgreSQL, and its error contains no password", async () => {
    const { status, output } = await spawnServer(withPostgres("postgres://u:hidden@127.0.0.1:1/x", newFolder())).ended;
    expect(status).toBe(1);
    expect(output).toMatch(/^The server could not start: .*ECONNREFUSED.*\n$/);
    expect(output).not.toContain("hidden");
  });
});

it("a server that is started by itself serves no pages of another shop than that of its database", async () => {
  const site = newFolder();
  mkdirSync(join(site, ".hosting"));
  writeFileSync(join(site, ".hosting/shop"), "other");
  const server = runScript("server/index.ts", { DATA_DIR: newFolder("seeded"), SITE_DIR: site, PORT: "0", ENV_FILE: "" });
  expect(await server.ended).toBe(1);
  expect(server.printed()).toMatch(/is that of the shop "other", .* of "entrance": set SITE_DIR/);
});

it("a fault of syntax in the server's sources is named with its file and line", async () => {
  const folder = copySources();
  writeFileSync(join(folder, "server/listen.ts"), "\nconst = 1;\n", { flag: "a" });
  const server = runScript("server/index.ts", { DATA_DIR: newFolder("seeded"), PORT: "0", ENV_FILE: "" }, folder);
  expect(await server.ended).toBe(1);
  expect(server.printed()).toMatch(/server\/listen\.ts:\d+/);
});

it.each([
  ["server", ["server"]],
  ["command", ["server", "orders", "list"]],
])("the %s ends with a sentence on Node before 24", async (_, args) => {
  // Runs on the Node of the tests, whose number alone is an older one's.
  const asOld = 'data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.20.2" })';
  const program = runScript(["--import", asOld, ...args], { DATA_DIR: newFolder("seeded"), PORT: "0", ENV_FILE: "" });
  expect(await program.ended).toBe(1);
  expect(program.printed()).toMatch(/^The server needs Node 24, and this is 20\.20\.2: run node_modules\/\.bin\/node, .*\.\n$/);
});

const mobile = "13800138000";

describe("a text of 64 KB", () => {
  let origin = "";
  let token = "";
  beforeAll(async () => {
    const folder = newFolder("seeded");
    const limit = "1000000";
    const env = { DATA_DIR: folder, CODES_PER_HOUR: limit, CODES_PER_DAY: limit, CODES_PER_HOUR_PER_IP: limit };
    origin = (await startServer(env)).origin;
    await clientAt(origin).send(contract.sendCode, { username: mobile });
    const verification_code = await deliveredTo(folder, mobile);
    ({ token } = await clientAt(origin).call(contract.login, { username: mobile, verification_code }));
  });
  afterAll(stopServersAndRemoveFolders);

  /** Returns whether another call is answered within 250 ms while the bodies are processed. */
  async function isFree(path: string, bodies: string[]): Promise<boolean> {
    const headers = { "content-type": "application/json", "device-type": "web", token };
    const requests = bodies.map((body) => fetch(origin + path, { method: "POST", headers, body }));
    // Lets the bodies arrive.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const concurrentRequest = fetch(`${origin}/v1/goods/allLists`, { signal: AbortSignal.timeout(250) });
    const free = await concurrentRequest.then(
      async (response) => (await response.json()).code === 1,
      () => false,
    );
    for (const response of await Promise.all(requests)) expect(response.status).toBeLessThan(500);
    return free;
  }

  const fields = Object.values(contract).flatMap(({ method, path, payload }) => {
    const validPayload = JSON.parse(JSON.stringify(payloads[path] ?? {}).replace(/\{[a-z ]+\}/g, "x"));
    return method === "POST"
      ? textFields(payload, validPayload).map((field) => [`${path} ${field.name}`, path, field] as const)
      : [];
  });

  it("is tested in every text field of the contract", () => {
    expect(fields.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        "/v1/address/add detail",
        "/v1/booking/makeBooking note",
        "/v1/main/forwardCallApi a value in request_header",
        "/v1/mall/createOrder note",
        "/v1/user/vcodeLogin verification_code",
      ]),
    );
  });

  it.each(fields)("in %s does not block other calls", async (_name, path, field) => {
    for (const [name, repeated] of Object.entries(repeatedTexts)) {
      // Alone, and between letters, where it is not trimmed.
      const bodies = ["", "甲"].map((edge) => createLargeBody(repeated, maxBodySize, (text) => field.fill(edge + text + edge)));
      for (const body of bodies) expect(Buffer.byteLength(body)).toBeGreaterThan(maxBodySize - 20);
      // Retries twice, because a busy machine may be late.
      const free = (await isFree(path, bodies)) || (await isFree(path, bodies)) || (await isFree(path, bodies));
      expect({ repeated: name, free }).toEqual({ repeated: name, free: true });
    }
  });
});
