// @module-tag full
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { afterAll, describe, expect, it } from "vitest";
import { isWithoutNginx, startNginx } from "#tests/support/hosting/web-servers.ts";
import { newFolder, startServer } from "#tests/support/processes/child-process.ts";

// Uses real sockets, because the peer's address comes from the connection.
const ceilings = { CODES_PER_HOUR_PER_IP: "2", CODES_PER_HOUR_HOST: "1000" };
const start = (env: Record<string, string>) => startServer({ DATA_DIR: newFolder("seeded"), ...ceilings, ...env });
let last = 0;

interface From {
  /** Local address that the connection comes from. */
  local?: string;
  headers?: Record<string, string>;
}

/** Requests a login code for a new number and returns the envelope's code. */
async function requestCode(origin: string, { local, headers = {} }: From = {}): Promise<number> {
  last += 1;
  const body = JSON.stringify({ username: `1391111${String(last).padStart(4, "0")}` });
  const { text } = await send(origin, "/v1/VerificationCode/send", { local, headers }, body);
  return Number(JSON.parse(text).code);
}

function send(origin: string, path: string, { local, headers = {} }: From, body = "") {
  const { hostname, port } = new URL(origin);
  return new Promise<{ text: string; headers: Record<string, string | string[] | undefined> }>((resolve, reject) => {
    const outgoing = request(
      {
        hostname: hostname.replace(/[[\]]/g, ""),
        port,
        path,
        method: body ? "POST" : "GET",
        agent: false,
        headers: { "content-type": "application/json", "device-type": "web", ...headers },
        ...(local ? { localAddress: local } : {}),
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () => resolve({ text, headers: response.headers }));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Requests `count` codes, each with a spoofed address. */
async function requestCodesSpoofed(origin: string, count: number, from: From = {}): Promise<number[]> {
  const codes: number[] = [];
  for (let n = 1; n <= count; n += 1) {
    codes.push(await requestCode(origin, { ...from, headers: { "x-forwarded-for": `203.0.113.${n}` } }));
  }
  return codes;
}

const toLoopback = (server: { origin: string }) => server.origin.replace("localhost", "127.0.0.1");
const warnings = (output: string) => output.split("\n").filter((line) => line.includes("X-Forwarded-"));

describe("forwarded headers", () => {
  it("are ignored from an untrusted peer, with one warning", async () => {
    const server = await start({ TRUST_PROXY: "1", TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8" });
    const stranger = { local: "127.0.0.2" };
    expect(await requestCodesSpoofed(toLoopback(server), 4, stranger)).toEqual([1, 1, 10004, 10004]);
    expect(await requestCodesSpoofed(toLoopback(server), 4)).toEqual([1, 1, 1, 1]);
    expect(warnings(server.output())).toEqual([expect.stringMatching(/127\.0\.0\.2.*TRUSTED_PROXIES/)]);
    const https = { "x-forwarded-proto": "https" };
    for (const path of ["/", "/v1/goods/allLists", "/v1/nowhere", "/healthz", "/docs", "/openapi.json"]) {
      const hsts = async (from: From) => (await send(toLoopback(server), path, from)).headers["strict-transport-security"];
      expect(await hsts({ ...stranger, headers: https }), path).toBeUndefined();
      expect(await hsts({}), path).toBeUndefined();
      expect(await hsts({ headers: https }), path).toMatch(/^max-age=\d{8}$/);
    }
  });

  it("are ignored with TRUST_PROXY=0, with one warning", async () => {
    const server = await start({});
    expect(await requestCodesSpoofed(toLoopback(server), 3)).toEqual([1, 1, 10004]);
    expect(warnings(server.output())).toEqual([expect.stringContaining("TRUST_PROXY")]);
  });

  const outside = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4")?.address;

  it.skipIf(!outside)("are ignored from another machine when TRUSTED_PROXIES is not set", async () => {
    const open = { HOST: "::", PAYMENT: "sandbox", SMS: "console" };
    const server = await start({ ...open, TRUST_PROXY: "1" });
    const origin = `http://${outside}:${new URL(server.origin).port}`;
    expect(await requestCodesSpoofed(origin, 3, { local: outside ?? "" })).toEqual([1, 1, 10004]);
    // A local proxy connects to such a socket as ::ffff:127.0.0.1.
    expect(await requestCodesSpoofed(toLoopback(server), 4)).toEqual([1, 1, 1, 1]);
  });
});

describe.skipIf(isWithoutNginx())("a server behind nginx on one machine", () => {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends) await end();
  });

  it("counts each client address separately, whatever X-Forwarded-For the client sends", async () => {
    const server = await start({ TRUST_PROXY: "1" });
    const nginx = await startNginx(
      (port) => `server { listen 127.0.0.1:${port}; location / {
        proxy_pass ${toLoopback(server)};
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
      } }`,
    );
    ends.push(nginx.stop);
    expect(await requestCodesSpoofed(nginx.origin, 3, { local: "127.0.0.5" })).toEqual([1, 1, 10004]);
    expect(await requestCode(nginx.origin, { local: "127.0.0.6" })).toBe(1);
  });
});
