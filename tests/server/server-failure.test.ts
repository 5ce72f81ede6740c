import getPort from "get-port";
import { Pool } from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { locales } from "../../i18n/locale.ts";
import { responseCode as texts } from "../../i18n/response-code.ts";
import { createPostgresDatabase } from "../../server/db/postgres.ts";
import { createConcurrencyLimit, QueueFullError } from "../../server/http/rate-limit.ts";
import type { LogEntry } from "../../server/http/request-log.ts";
import { contract } from "../../src/api/contract.ts";
import { client } from "../support/client/client.ts";
import { expectEnvelope } from "../support/client/http.ts";
import { freshDatabase } from "../support/database/database.ts";
import { createTestServer } from "../support/processes/test-server.ts";

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

describe("an unreachable database", () => {
  it("makes every call that needs it return 503 with an envelope", async () => {
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
