import { drizzle } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { locales } from "../../i18n/locale.ts";
import { responseCode as texts } from "../../i18n/response-code.ts";
import type { LogEntry } from "../../server/http/request-log.ts";
import { freshDatabase } from "../support/database.ts";
import { expectEnvelope } from "../support/expect-envelope.ts";
import { freePort } from "../support/postgres.ts";
import { createTestServer } from "../support/test-server.ts";

const send = "/v1/VerificationCode/send";

afterEach(() => vi.restoreAllMocks());

describe.each(locales)("a call that throws, in %s", (locale) => {
  it("returns an envelope with the request id, and logs the stack and a line with status 500 under that id", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const entries: LogEntry[] = [];
    const sendMessage = () => {
      throw new TypeError("a part is broken at 13800138000");
    };
    const server = await createTestServer("PGlite", { sendMessage, log: (entry) => entries.push(entry) });
    const answer = await server.ask(send, { body: { username: "13800138000" }, locale });
    const id = answer.headers.get("x-request-id");
    expectEnvelope(answer);
    expect(answer).toMatchObject({ status: 500, code: 10500, msg: texts[locale].internal, data: { request_id: id } });
    expect(answer.headers.get("content-language")).toBe(locale);
    expect(answer.text).not.toMatch(/broken|13800138000/);
    expect(entries).toMatchObject([{ id, method: "POST", path: send, status: 500, code: 10500 }]);
    expect(printed.mock.calls).toEqual([
      [expect.stringMatching(/^Request \S+ failed: TypeError: a part is broken.*\n +at \S*sendMessage /)],
    ]);
    expect(String(printed.mock.calls[0])).toContain(`Request ${id} failed`);
    expect(await server.ask("/v1/goods/allLists")).toMatchObject({ status: 200, code: 1 });
  });
});

describe("an unreachable database", () => {
  it("makes every call that needs it return 503 with an envelope", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    await freshDatabase("PGlite");
    const connectionString = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
    const pool = new Pool({ connectionString, connectionTimeoutMillis: 1000 });
    const server = await createTestServer("PGlite", { db: drizzle({ client: pool }) });
    for (const path of ["/v1/goods/allLists", "/v1/activity/info", "/readyz"]) {
      const answer = await server.ask(path);
      expect(answer).toMatchObject({ status: 503, code: 10503, data: null });
      expectEnvelope(answer);
    }
    expect((await server.ask(send, { body: { username: "demo" } })).status).toBe(503);
    expect((await server.ask("/healthz")).status).toBe(200);
    expect(log.mock.calls.length).toBeGreaterThan(0);
    await pool.end();
  });
});
