import getPort from "get-port";
import { Pool } from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { locales } from "#i18n/locale.ts";
import { responseCode as texts } from "#i18n/response-code.ts";
import { createPostgresDatabase } from "#server/db/postgres.ts";
import { createConcurrencyLimit, QueueFullError } from "#server/http/rate-limit.ts";
import { type LogEntry, maskPath } from "#server/http/request-log.ts";
import { contract } from "#src/api/contract.ts";
import { client, expectEnvelope } from "#tests/support/client/client.ts";
import { addressPayload, newRequestId } from "#tests/support/client/order.ts";
import { describeOnEngines, freshDatabase, newPostgres } from "#tests/support/database/database.ts";
import { deliveredTo, newFolder, startServer, withPostgres } from "#tests/support/processes/child-process.ts";
import { createTestServer } from "#tests/support/processes/test-server.ts";

interface Line {
  at: string;
  id: string;
  method: string;
  path: string;
  status: number;
  code: number | null;
  ms: number;
}

describeOnEngines(
  "the request log on %s",
  (engine) => {
    it("contains one line per request with its x-request-id and no personal data", async () => {
      const DATA_DIR = newFolder(engine === "PGlite" ? "seeded" : "empty");
      const env = engine === "PGlite" ? { DATA_DIR } : withPostgres(await newPostgres(), DATA_DIR);
      const server = await startServer({ ...env, REQUEST_LOG: "stdout" });
      const requestIds: string[] = [];
      const call = async (path: string, body?: unknown, token = "", headers = {}) => {
        const content = typeof body === "string" ? body : JSON.stringify(body);
        const response = await fetch(server.origin + path, {
          method: body === undefined ? "GET" : "POST",
          headers: { "content-type": "application/json", token, ...headers },
          ...(content === undefined ? {} : { body: content }),
          redirect: "manual",
        });
        requestIds.push(response.headers.get("x-request-id") ?? "");
        const text = await response.text();
        return text.startsWith("{") ? JSON.parse(text).data : null;
      };
      const mobile = "13800138000";
      await call("/v1/VerificationCode/send", { username: mobile });
      const verification_code = await deliveredTo(DATA_DIR, mobile);
      const { token } = await call("/v1/user/vcodeLogin", { username: mobile, verification_code });
      const { list } = await call("/v1/address/add", { ...addressPayload, name: "欧阳小满", detail: "龙腾大道 1 号" }, token);
      const { address_id } = list[0];
      const payload = { goods_uid: "tote", sku_uid: "tote", quantity: 1, address_id, expected_pay_fen: 11_000, note: "轻放" };
      const { order_sn } = await call("/v1/mall/createOrder", { ...payload, client_request_id: newRequestId() }, token);
      const { link } = await call("/v1/mall/genMiniProgramCodeBySn", { order_sn }, token);
      const cashier = new URL(link).pathname;
      await call(cashier, "action=pay", "", { "content-type": "application/x-www-form-urlencoded" });
      const { app_user_token } = await call("/v1/marsx/userToken", {}, token);
      for (const secret of [mobile, verification_code, token, order_sn, address_id, app_user_token]) {
        await call(`/${secret}`);
        await call(`/v1/${secret}/x?y=${secret}`);
        await call(`/v1/goods/allLists?who=${secret}`, undefined, secret);
        await call(`/user/order/${secret}`);
        await call("/v1/mall/orderInfo", { order_sn: secret }, token);
        await call("/v1/mall/orderInfo", `{"order_sn": "${secret}`, secret, { "user-agent": secret });
      }
      server.child.kill("SIGTERM");
      const { output } = await server.ended;
      const log = output.split("\n").filter((line) => line.startsWith("{"));
      const lines: Line[] = log.map((line) => JSON.parse(line));
      expect(lines.map(({ id }) => id).sort()).toEqual([...requestIds].sort());
      for (const line of lines) {
        expect(Object.keys(line)).toEqual(["at", "id", "method", "path", "status", "code", "ms"]);
        expect(line.at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        expect(line.ms).toBeGreaterThanOrEqual(0);
      }
      const expectLogged = (entry: Partial<Line>) => expect(lines).toContainEqual(expect.objectContaining(entry));
      expectLogged({ method: "POST", path: "/v1/user/vcodeLogin", status: 200, code: 1 });
      expectLogged({ method: "POST", path: "/v1/mall/orderInfo", status: 200, code: 10003 });
      expectLogged({ method: "POST", path: "/v1/mall/orderInfo", status: 400, code: 10002 });
      expectLogged({ method: "POST", path: "/cashier/:", status: 303, code: null });
      expectLogged({ method: "GET", path: "/v1/:/x", status: 404, code: 10003 });
      expectLogged({ method: "GET", path: "/user/order/:", code: null });
      const parts = [
        "欧阳小满",
        "龙腾大道",
        "轻放",
        mobile,
        verification_code,
        token,
        order_sn,
        address_id,
        app_user_token,
        cashier,
      ];
      for (const part of parts) expect(log.join("\n")).not.toContain(part);
      // The code is still printed to the console.
      expect(output).toContain(`Login code for ${mobile}: ${verification_code}`);
    });

    it("is not printed with REQUEST_LOG=off", async () => {
      const DATA_DIR = newFolder(engine === "PGlite" ? "seeded" : "empty");
      const env = engine === "PGlite" ? { DATA_DIR } : withPostgres(await newPostgres(), DATA_DIR);
      const server = await startServer({ ...env, REQUEST_LOG: "off" });
      expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
      server.child.kill("SIGINT");
      expect((await server.ended).output).not.toContain("{");
    });
  },
  { tags: ["full"], onPostgres: "long" },
);

describe("a server whose standard output nobody reads any more", { tags: ["full"] }, () => {
  it("serves on", async () => {
    const server = await startServer({ DATA_DIR: newFolder("seeded"), REQUEST_LOG: "stdout" });
    server.child.stdout?.destroy();
    for (let n = 0; n < 20; n += 1) expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    server.child.kill("SIGINT");
    expect((await server.ended).status).toBe(0);
  });
});

describe("maskPath", { tags: ["full"] }, () => {
  it.each([
    ["/v1/mall/orderInfo", "/v1/mall/orderInfo"],
    ["/", "/"],
    ["/en-US/news/2026-tour", "/en-US/news/2026-tour"],
    ["/user/order/M2601020304050000000A", "/user/order/:"],
    ["/138-0013-8000", "/:"],
    ["/%31%33%38%30%30%31", "/:"],
    ["/欧阳", "/:"],
    ["/x'%20or%201=1", "/:"],
    [`/${"a".repeat(33)}`, "/:"],
    ["/a//b", "/a//b"],
  ])("logs %s as %s", (path, open) => {
    expect(maskPath(path)).toBe(open);
  });

  it("limits a path to 300 characters", () => {
    expect(maskPath("/a".repeat(10_000)).length).toBeLessThanOrEqual(300);
  });
});

afterEach(() => vi.restoreAllMocks());

describe.each(locales)("a call that throws, in %s", (locale) => {
  it("returns an envelope with the request id, and logs the stack and a line with status 500 under that id", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const entries: LogEntry[] = [];
    const sendMessage = () => {
      throw new TypeError("a part is broken at 13800138000");
    };
    const server = await createTestServer("PGlite", { sendMessage, log: (entry) => entries.push(entry) });
    const response = await client(server, { locale }).send(contract.sendCode, { username: "13800138000" });
    const id = response.headers.get("x-request-id");
    expectEnvelope(response);
    expect(response).toMatchObject({ status: 500, code: 10500, msg: texts[locale].internal, data: { request_id: id } });
    expect(response.headers.get("content-language")).toBe(locale);
    expect(response.text).not.toMatch(/broken|13800138000/);
    expect(entries).toMatchObject([{ id, method: "POST", path: contract.sendCode.path, status: 500, code: 10500 }]);
    expect(printed.mock.calls).toEqual([
      [expect.stringMatching(/^Request \S+ failed: TypeError: a part is broken.*\n +at \S*sendMessage /)],
    ]);
    expect(String(printed.mock.calls[0])).toContain(`Request ${id} failed`);
    await client(server).call(contract.goodsLists);
  });
});

it("an unreachable database makes every call that needs it return 503 with an envelope", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  await freshDatabase("PGlite");
  const connectionString = `postgres://nobody@127.0.0.1:${await getPort()}/none`;
  const pool = new Pool({ connectionString, connectionTimeoutMillis: 1000 });
  const server = await createTestServer("PGlite", { db: createPostgresDatabase(pool) });
  for (const { path } of [contract.goodsLists, contract.activityInfo, { path: "/readyz" }]) {
    const response = await server.request(path);
    expect(response).toMatchObject({ status: 503, code: 10503, data: null });
    expectEnvelope(response);
  }
  expect((await client(server).send(contract.sendCode, { username: "demo" })).status).toBe(503);
  expect((await server.request("/healthz")).status).toBe(200);
  expect(log.mock.calls.length).toBeGreaterThan(0);
  await pool.end();
});

class SharedError extends Error {}
const isShared = (error: unknown) => error instanceof SharedError;
const task = () => {
  let resolve = (_value: string) => {};
  let reject = (_error: Error) => {};
  const promise = new Promise<string>((done, failed) => {
    [resolve, reject] = [done, failed];
  });
  return { work: () => promise, resolve, reject };
};

describe("the concurrency limit", () => {
  it("runs two tasks at a time and the queued ones in order", async () => {
    const limit = createConcurrencyLimit(2, 10, isShared);
    const entered: number[] = [];
    const tasks = Array.from({ length: 5 }, task);
    const all = tasks.map(({ work }, n) =>
      limit(() => {
        entered.push(n);
        return work();
      }),
    );
    await Promise.resolve();
    expect(entered).toEqual([0, 1]);
    tasks[1]?.resolve("b");
    expect(await all[1]).toBe("b");
    expect(entered).toEqual([0, 1, 2]);
    for (const { resolve } of tasks) resolve("x");
    await Promise.all(all);
    expect(entered).toEqual([0, 1, 2, 3, 4]);
  });

  it("throws QueueFullError when the queue is full, and accepts tasks again afterwards", async () => {
    const limit = createConcurrencyLimit(1, 1, isShared);
    const [one, other] = [task(), task()];
    const first = limit(one.work);
    const second = limit(other.work);
    await expect(limit(async () => "late")).rejects.toBeInstanceOf(QueueFullError);
    one.resolve("first");
    other.resolve("second");
    expect(await Promise.all([first, second])).toEqual(["first", "second"]);
    expect(await limit(async () => "later")).toBe("later");
  });

  it("rejects all queued tasks after a shared failure, and runs them after any other failure", async () => {
    const limit = createConcurrencyLimit(1, 10, isShared);
    const [one, other] = [task(), task()];
    const first = limit(one.work);
    const second = limit(async () => "second");
    one.reject(new Error("its own"));
    await expect(first).rejects.toThrow("its own");
    expect(await second).toBe("second");
    const third = limit(other.work);
    const waiting = [limit(async () => "never"), limit(async () => "never")];
    other.reject(new SharedError());
    for (const each of [third, ...waiting]) await expect(each).rejects.toBeInstanceOf(SharedError);
    expect(await limit(async () => "again")).toBe("again");
  });
});
