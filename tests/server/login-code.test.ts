import { expect, it, vi } from "vitest";
import { createApp, createContext } from "../../server/app.ts";
import { readConfig } from "../../server/config/config.ts";
import { createMessageQueue } from "../../server/sms/sms.ts";
import type { Call } from "../../src/api/call.ts";
import { contract } from "../../src/api/contract.ts";
import { client, createRequest, readResponse, type TestRequest } from "../support/client/client.ts";
import { describeOnEngines, freshDatabase } from "../support/database/database.ts";
import { createTestServer, newMobile, type TestServer } from "../support/processes/test-server.ts";

const hour = 3600;

/** Records every response about one username's codes. */
async function recordResponses(server: TestServer, username: string, locale: string) {
  const responses: unknown[] = [];
  const record = async (row: Call, payload: object) => {
    const { status, headers, text } = await client(server, { locale }).send(row, payload);
    responses.push([row.path, status, text, [...headers].filter(([name]) => name !== "x-request-id")]);
  };
  const requestCode = () => record(contract.sendCode, { username });
  // The code is unknown here: 000000 is right once in a million runs.
  const submitCode = () => record(contract.login, { username, verification_code: "000000" });
  await submitCode();
  await requestCode();
  await requestCode();
  for (let tries = 0; tries < 7; tries += 1) await submitCode();
  for (let sends = 0; sends < 6; sends += 1) {
    server.advanceClock(60);
    await requestCode();
    await submitCode();
  }
  server.advanceClock(300);
  await submitCode();
  for (let sends = 0; sends < 12; sends += 1) {
    server.advanceClock(hour);
    await requestCode();
  }
  return responses;
}

describeOnEngines("login codes on %s", (engine) => {
  it.each(["zh-CN", "en-US"])(
    "do not reveal whether an account exists: responses are identical byte for byte (%s)",
    async (locale) => {
      const memberServer = await createTestServer(engine);
      const memberResponses = await recordResponses(memberServer, "demo", locale);
      await memberServer.waitForDelivery();
      const visitorServer = await createTestServer(engine);
      // Has the same masked form as `demo`.
      const visitorResponses = await recordResponses(visitorServer, "deaf", locale);
      await visitorServer.waitForDelivery();
      const toPlain = (responses: unknown) => JSON.parse(JSON.stringify(responses));
      expect(toPlain(visitorResponses)).toEqual(toPlain(memberResponses));
      expect(visitorServer.sentMessages).toEqual([]);
      expect(memberServer.sentMessages).toHaveLength(10);
      const codes = new Set(
        memberResponses.flatMap((response) => /"code":(\d+)/.exec(JSON.stringify(response).replaceAll("\\", ""))?.[1] ?? []),
      );
      expect([...codes].sort()).toEqual(["1", "10004", "20001", "20003"]);
    },
  );

  it("are limited to one per 60 s, 5 an hour and 10 a day for one number, with retry_after", async () => {
    const server = await createTestServer(engine);
    const username = newMobile();
    const requestCode = () => client(server).send(contract.sendCode, { username });
    const expectRefusal = async (retry_after: number) => {
      const response = await requestCode();
      expect(response).toMatchObject({ status: 200, code: 10004, data: { retry_after } });
      expect(response.headers.has("retry-after")).toBe(false);
    };
    expect((await requestCode()).code).toBe(1);
    await expectRefusal(60);
    server.advanceClock(59);
    await expectRefusal(1);
    server.advanceClock(1);
    for (let sent = 1; sent < 5; sent += 1) {
      expect((await requestCode()).code).toBe(1);
      server.advanceClock(60);
    }
    // Five within an hour, the first 300 s ago.
    await expectRefusal(hour - 300);
    server.advanceClock(hour - 301);
    await expectRefusal(1);
    server.advanceClock(1);
    for (let sent = 5; sent < 10; sent += 1) {
      expect((await requestCode()).code).toBe(1);
      server.advanceClock(60);
    }
    server.advanceClock(hour);
    // Ten within a day: the first two hours and 300 s ago.
    await expectRefusal(24 * hour - 2 * hour - 300);
    server.advanceClock(24 * hour - 2 * hour - 300);
    expect((await requestCode()).code).toBe(1);
  });

  it("are not delayed further by refused requests", async () => {
    const server = await createTestServer(engine);
    const payload = { username: newMobile() };
    const { call, error } = client(server);
    await call(contract.sendCode, payload);
    for (let tries = 0; tries < 30; tries += 1) expect(await error(contract.sendCode, payload)).toBe(10004);
    server.advanceClock(60);
    await call(contract.sendCode, payload);
  });

  it.each([
    ["one IPv4 address", () => "203.0.113.9", "203.0.113.10"],
    ["one IPv4 address, written as IPv6", (n: number) => (n % 2 ? "::ffff:203.0.113.9" : "203.0.113.9"), "::ffff:203.0.113.10"],
    ["one /64", (n: number) => `2001:db8:0:7:${n.toString(16)}::${n}`, "2001:db8:0:8::1"],
  ])("are limited to 20 an hour for %s, also concurrently", async (_what, from, other) => {
    const server = await createTestServer(engine);
    const requestCode = (address: string) =>
      client(server, { from: address }).send(contract.sendCode, { username: newMobile() });
    const responses = await Promise.all(Array.from({ length: 40 }, (_, n) => requestCode(from(n))));
    expect(responses.filter(({ code }) => code === 1)).toHaveLength(20);
    expect(responses.filter(({ code }) => code === 10004)).toHaveLength(20);
    expect((await requestCode(from(3))).data).toEqual({ retry_after: hour });
    expect((await requestCode(other)).code).toBe(1);
    server.advanceClock(hour);
    expect((await requestCode(from(3))).code).toBe(1);
  });

  it("are counted by the address that a trusted proxy forwards, and by no other header", async () => {
    const spoof = (n: number) => ({ "x-forwarded-for": `192.0.2.${n}` });
    const requestCode = (server: TestServer, headers: Record<string, string>) =>
      client(server, { headers }).send(contract.sendCode, { username: newMobile() });
    const bare = await createTestServer(engine, { env: { CODES_PER_HOUR_PER_IP: "3" } });
    for (let n = 0; n < 3; n += 1) expect((await requestCode(bare, spoof(n))).code).toBe(1);
    expect((await requestCode(bare, spoof(4))).code).toBe(10004);
    const env = { CODES_PER_HOUR_PER_IP: "3", TRUST_PROXY: "1", TRUSTED_PROXIES: "192.0.2.0/24" };
    const behind = await createTestServer(engine, { env });
    for (let n = 0; n < 3; n += 1) {
      expect((await requestCode(behind, { "x-forwarded-for": `192.0.2.${n}, 203.0.113.5` })).code).toBe(1);
    }
    expect((await requestCode(behind, { "x-forwarded-for": "9.9.9.9, 203.0.113.5" })).code).toBe(10004);
    expect((await requestCode(behind, { "x-forwarded-for": "203.0.113.5, 203.0.113.6" })).code).toBe(1);
  });

  it("return success when delivery fails, and the log contains neither number nor code", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const failing = createMessageQueue({ send: ({ to, code }) => Promise.reject(new Error(`no way to ${to} with ${code}`)) });
    const db = await freshDatabase(engine);
    const now = () => new Date();
    const app = createApp(createContext({ db, config: readConfig({}), key: Buffer.alloc(32), messages: failing, now }));
    const username = newMobile();
    const request = async (path: string, options: TestRequest = {}) =>
      readResponse(
        await app.fetch(createRequest(`http://host.test${path}`, options), {
          incoming: { socket: { remoteAddress: "192.0.2.1" } },
        }),
      );
    await client({ request }).call(contract.sendCode, { username });
    await failing.waitUntilIdle();
    const logged = JSON.stringify(log.mock.calls);
    log.mockRestore();
    expect(logged).toContain("could not be sent");
    expect(logged).not.toContain(username);
    expect(logged).not.toMatch(/\d{6}/);
  });
});
