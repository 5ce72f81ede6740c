import { describe, expect, it, vi } from "vitest";
import { createApp, createContext } from "../../server/app.ts";
import { readConfig } from "../../server/config/config.ts";
import { createMessageQueue } from "../../server/sms/message-queue.ts";
import { engines, freshDatabase } from "../support/database.ts";
import { createTestServer, newMobile, readAnswer, type TestServer } from "../support/test-server.ts";

const send = "/v1/VerificationCode/send";
const login = "/v1/user/vcodeLogin";
const hour = 3600;

/** Records every response about one username's codes. */
async function recordResponses(server: TestServer, username: string, locale: string) {
  const responses: unknown[] = [];
  const record = async (path: string, body: object) => {
    const { status, headers, text } = await server.ask(path, { body, locale });
    responses.push([path, status, text, [...headers].filter(([name]) => name !== "x-request-id")]);
  };
  const ask = () => record(send, { username });
  // The code is unknown here: 000000 is right once in a million runs.
  const submitCode = () => record(login, { username, verification_code: "000000" });
  await submitCode();
  await ask();
  await ask();
  for (let tries = 0; tries < 7; tries += 1) await submitCode();
  for (let sends = 0; sends < 6; sends += 1) {
    server.wait(60);
    await ask();
    await submitCode();
  }
  server.wait(300);
  await submitCode();
  for (let sends = 0; sends < 12; sends += 1) {
    server.wait(hour);
    await ask();
  }
  return responses;
}

describe.each(engines)("login codes on %s", (engine) => {
  it.each(["zh-CN", "en-US"])(
    "do not reveal whether an account exists: responses are identical byte for byte (%s)",
    async (locale) => {
      const memberServer = await createTestServer(engine);
      const memberResponses = await recordResponses(memberServer, "demo", locale);
      await memberServer.settled();
      const visitorServer = await createTestServer(engine);
      // Has the same masked form as `demo`.
      const visitorResponses = await recordResponses(visitorServer, "deaf", locale);
      await visitorServer.settled();
      const toPlain = (answers: unknown) => JSON.parse(JSON.stringify(answers));
      expect(toPlain(visitorResponses)).toEqual(toPlain(memberResponses));
      expect(visitorServer.sent).toEqual([]);
      expect(memberServer.sent).toHaveLength(10);
      const codes = new Set(
        memberResponses.flatMap((answer) => /"code":(\d+)/.exec(JSON.stringify(answer).replaceAll("\\", ""))?.[1] ?? []),
      );
      expect([...codes].sort()).toEqual(["1", "10004", "20001", "20003"]);
    },
  );

  it("are limited to one per 60 s, 5 an hour and 10 a day for one number, with retry_after", async () => {
    const server = await createTestServer(engine);
    const username = newMobile();
    const ask = () => server.ask(send, { body: { username } });
    const refused = async (retry_after: number) => {
      const answer = await ask();
      expect(answer).toMatchObject({ status: 200, code: 10004, data: { retry_after } });
      expect(answer.headers.has("retry-after")).toBe(false);
    };
    expect((await ask()).code).toBe(1);
    await refused(60);
    server.wait(59);
    await refused(1);
    server.wait(1);
    for (let sent = 1; sent < 5; sent += 1) {
      expect((await ask()).code).toBe(1);
      server.wait(60);
    }
    // Five within an hour, the first 300 s ago.
    await refused(hour - 300);
    server.wait(hour - 301);
    await refused(1);
    server.wait(1);
    for (let sent = 5; sent < 10; sent += 1) {
      expect((await ask()).code).toBe(1);
      server.wait(60);
    }
    server.wait(hour);
    // Ten within a day: the first two hours and 300 s ago.
    await refused(24 * hour - 2 * hour - 300);
    server.wait(24 * hour - 2 * hour - 300);
    expect((await ask()).code).toBe(1);
  });

  it("are not delayed further by refused requests", async () => {
    const server = await createTestServer(engine);
    const body = { username: newMobile() };
    expect((await server.ask(send, { body })).code).toBe(1);
    for (let tries = 0; tries < 30; tries += 1) expect((await server.ask(send, { body })).code).toBe(10004);
    server.wait(60);
    expect((await server.ask(send, { body })).code).toBe(1);
  });

  it.each([
    ["one IPv4 address", () => "203.0.113.9", "203.0.113.10"],
    ["one IPv4 address, written as IPv6", (n: number) => (n % 2 ? "::ffff:203.0.113.9" : "203.0.113.9"), "::ffff:203.0.113.10"],
    ["one /64", (n: number) => `2001:db8:0:7:${n.toString(16)}::${n}`, "2001:db8:0:8::1"],
  ])("are limited to 20 an hour for %s, also concurrently", async (_what, from, other) => {
    const server = await createTestServer(engine);
    const ask = (address: string) => server.ask(send, { body: { username: newMobile() }, from: address });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(from(n))));
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(20);
    expect(answers.filter(({ code }) => code === 10004)).toHaveLength(20);
    expect((await ask(from(3))).data).toEqual({ retry_after: hour });
    expect((await ask(other)).code).toBe(1);
    server.wait(hour);
    expect((await ask(from(3))).code).toBe(1);
  });

  it("are limited to CODES_PER_HOUR_HOST for the whole server", async () => {
    const server = await createTestServer(engine, { env: { CODES_PER_HOUR_HOST: "30" } });
    const ask = (n: number) =>
      server.ask(send, { body: { username: n % 3 ? newMobile() : `nobody_${n}` }, from: `198.18.0.${n}` });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => ask(n)));
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(30);
    server.wait(hour - 1);
    expect((await ask(60)).data).toEqual({ retry_after: 1 });
    server.wait(1);
    expect((await ask(60)).code).toBe(1);
  });

  it("are counted by the address that a trusted proxy forwards, and by no other header", async () => {
    const spoof = (n: number) => ({ "x-forwarded-for": `192.0.2.${n}` });
    const ask = (server: TestServer, headers: Record<string, string>) =>
      server.ask(send, { body: { username: newMobile() }, headers });
    const bare = await createTestServer(engine, { env: { CODES_PER_HOUR_PER_IP: "3" } });
    for (let n = 0; n < 3; n += 1) expect((await ask(bare, spoof(n))).code).toBe(1);
    expect((await ask(bare, spoof(4))).code).toBe(10004);
    const env = { CODES_PER_HOUR_PER_IP: "3", TRUST_PROXY: "1", TRUSTED_PROXIES: "192.0.2.0/24" };
    const behind = await createTestServer(engine, { env });
    for (let n = 0; n < 3; n += 1) {
      expect((await ask(behind, { "x-forwarded-for": `192.0.2.${n}, 203.0.113.5` })).code).toBe(1);
    }
    expect((await ask(behind, { "x-forwarded-for": "9.9.9.9, 203.0.113.5" })).code).toBe(10004);
    expect((await ask(behind, { "x-forwarded-for": "203.0.113.5, 203.0.113.6" })).code).toBe(1);
  });

  it("return success when delivery fails, and the log contains neither number nor code", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const failing = createMessageQueue({ send: ({ to, code }) => Promise.reject(new Error(`no way to ${to} with ${code}`)) });
    const db = await freshDatabase(engine);
    const now = () => new Date();
    const app = createApp(createContext({ db, config: readConfig({}), key: Buffer.alloc(32), messages: failing, now }));
    const username = newMobile();
    const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ username }) };
    const answer = await readAnswer(await app.request(send, request, { incoming: { socket: { remoteAddress: "192.0.2.1" } } }));
    await failing.waitUntilIdle();
    expect(answer.code).toBe(1);
    const logged = JSON.stringify(log.mock.calls);
    log.mockRestore();
    expect(logged).toContain("could not be sent");
    expect(logged).not.toContain(username);
    expect(logged).not.toMatch(/\d{6}/);
  });
});
