import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { earlierCodes } from "../../server/db/schema/session.ts";
import { contract } from "../../src/api/contract.ts";
import { client } from "../support/client/client.ts";
import { describeOnEngines, type Engine } from "../support/database/database.ts";
import { createTestServer, newMobile, type TestServer } from "../support/processes/test-server.ts";
import { type AliyunStub, startAliyun } from "../support/stubs/aliyun.ts";

const hour = 3600;
const refused = { code: "isv.BUSINESS_LIMIT_CONTROL", message: "触发分钟级流控Permits:1" };
/** The service has sent the message, but its gateway responds with an error. */
const unclear = { status: 502, body: "<html>", isSent: true };

let aliyun: AliyunStub;
beforeAll(async () => {
  aliyun = await startAliyun();
});
beforeEach(() => aliyun.reset());
afterAll(() => aliyun.close());

const createServer = (engine: Engine, env: Record<string, string> = {}) =>
  createTestServer(engine, { env: { ...aliyun.env, ...env } });

beforeEach(() => {
  for (const method of ["error", "warn"] as const) vi.spyOn(console, method).mockImplementation(() => {});
  return () => vi.restoreAllMocks();
});

/** Requests a code, waits for the service's response, and returns the code that it has sent, if any. */
async function requestCode(server: TestServer, username: string): Promise<string | undefined> {
  const before = aliyun.messages.length;
  await client(server).call(contract.sendCode, { username });
  await server.waitForDelivery();
  const code = aliyun.messages[before]?.code;
  return code === undefined ? undefined : String(code);
}

const logIn = async (server: TestServer, username: string, verification_code = "", from = "192.0.2.1") =>
  (await client(server).send(contract.login, { username, verification_code }, { from })).code;

const not = (...codes: (string | undefined)[]) => ["111111", "222222", "333333"].find((code) => !codes.includes(code));

/** Requests a code that arrives and, a minute later, one that the service treats as `reply` says. */
async function requestTwo(server: TestServer, username: string, reply: object) {
  const first = await requestCode(server, username);
  server.advanceClock(60);
  aliyun.behaviour.replies = [reply, reply];
  return { first, second: await requestCode(server, username) };
}

describeOnEngines("a login code on %s", (engine) => {
  it("stays valid when the service refuses a newer one", async () => {
    const server = await createServer(engine);
    const username = newMobile();
    const { first, second } = await requestTwo(server, username, refused);
    expect(second).toBeUndefined();
    expect(await logIn(server, username, first)).toBe(1);
    expect(await logIn(server, username, first)).toBe(20001);
  });

  it("stays valid while a newer one is on its way, and is void once the service has accepted that", async () => {
    const server = await createServer(engine);
    const [waiting, accepted] = [newMobile(), newMobile()];
    const codes = [await requestCode(server, waiting), await requestCode(server, accepted)];
    server.advanceClock(60);
    const release = aliyun.hold();
    for (const username of [waiting, accepted]) await client(server).call(contract.sendCode, { username });
    await expect.poll(() => aliyun.messages).toHaveLength(4);
    expect(await logIn(server, waiting, codes[0])).toBe(1);
    release();
    await server.waitForDelivery();
    expect(await logIn(server, accepted, codes[1])).toBe(20001);
    const newest = aliyun.messages.map(({ code }) => String(code)).slice(2);
    expect(await logIn(server, accepted, newest[1])).toBe(1);
    // Using the first code has voided the one that was on its way.
    expect(await logIn(server, waiting, newest[0])).toBe(20001);
  });

  it.each([
    ["first", "second"],
    ["second", "first"],
  ] as const)("is valid beside a newer one of which nobody knows; the use of the %s voids both", async (one, other) => {
    const server = await createServer(engine);
    const username = newMobile();
    const codes = await requestTwo(server, username, unclear);
    expect(aliyun.counts.requests).toBe(3);
    expect(await logIn(server, username, codes[one])).toBe(1);
    expect(await logIn(server, username, codes[other])).toBe(20001);
  });

  it("is valid beside any number of newer ones that did not arrive for certain, for its own time", async () => {
    const server = await createServer(engine);
    const username = newMobile();
    const first = await requestCode(server, username);
    const codes = [];
    for (const reply of [unclear, refused, unclear]) {
      server.advanceClock(60);
      aliyun.behaviour.replies = [reply, reply];
      codes.push(await requestCode(server, username));
    }
    server.advanceClock(300 - 3 * 60);
    expect(await logIn(server, username, first)).toBe(20001);
    expect(await logIn(server, username, codes[0])).toBe(1);
    await server.runScheduler();
    expect(await server.db.$count(earlierCodes)).toBe(0);
  });

  it("has five tries of its own, two of them from elsewhere, beside a newer one", async () => {
    const server = await createServer(engine);
    const username = newMobile();
    const first = await requestCode(server, username);
    for (let tries = 0; tries < 3; tries += 1) expect(await logIn(server, username, not(first))).toBe(20001);
    server.advanceClock(60);
    aliyun.behaviour.replies = [unclear, unclear];
    const second = await requestCode(server, username);
    const wrong = not(first, second);
    expect(await logIn(server, username, wrong, "198.51.100.1")).toBe(20001);
    expect(await logIn(server, username, wrong, "198.51.100.2")).toBe(20001);
    expect(await logIn(server, username, wrong, "198.51.100.3")).toBe(20003);
    // Five tries are spent at the first code, two at the second.
    expect(await logIn(server, username, first)).toBe(20001);
    expect(await logIn(server, username, second)).toBe(1);
  });

  it("is valid for its owner when others have used up the tries of a newer one that was refused", async () => {
    const server = await createServer(engine);
    const username = newMobile();
    const first = await requestCode(server, username);
    server.advanceClock(60);
    aliyun.behaviour.replies = [refused];
    const from = "198.51.100.1";
    await client(server).call(contract.sendCode, { username }, { from });
    await server.waitForDelivery();
    for (let tries = 0; tries < 5; tries += 1) expect(await logIn(server, username, not(first), from)).toBe(20001);
    expect(await logIn(server, username, first, from)).toBe(20003);
    expect(await logIn(server, username, first)).toBe(1);
  });
});

describeOnEngines("a login code that the service refuses on %s", (engine) => {
  const send = async (server: TestServer, username: string, from: string) => {
    const { code, data } = await client(server).send(contract.sendCode, { username }, { from });
    await server.waitForDelivery();
    return code === 1 ? code : data;
  };

  it("counts for the wait alone, not for the hour and the day of its number", async () => {
    const server = await createServer(engine);
    const username = newMobile();
    aliyun.behaviour.reply = refused;
    for (let minute = 0; minute < 12; minute += 1) {
      expect(await send(server, username, `203.0.113.${minute}`)).toBe(1);
      expect(await send(server, username, `203.0.113.${minute}`)).toEqual({ retry_after: 60 });
      server.advanceClock(60);
    }
    aliyun.behaviour.reply = {};
    for (let minute = 0; minute < 5; minute += 1) {
      expect(await send(server, username, "203.0.113.99")).toBe(1);
      server.advanceClock(60);
    }
    expect(await send(server, username, "203.0.113.99")).toEqual({ retry_after: hour - 300 });
  });

  it("counts for its network and for the server", async () => {
    const env = { CODES_PER_HOUR_PER_IP: "3", CODES_PER_HOUR_HOST: "4", CODES_PER_HOUR_RESERVED: "0" };
    const server = await createServer(engine, env);
    aliyun.behaviour.reply = refused;
    for (let sent = 0; sent < 3; sent += 1) expect(await send(server, newMobile(), "203.0.113.1")).toBe(1);
    expect(await send(server, newMobile(), "203.0.113.1")).toEqual({ retry_after: hour });
    for (let sent = 0; sent < 3; sent += 1) expect(await send(server, newMobile(), "203.0.113.2")).toBe(1);
    expect(aliyun.counts.requests).toBe(4);
  });

  it("counts for the hour where it may have arrived", async () => {
    const server = await createServer(engine, { CODES_PER_HOUR: "1" });
    aliyun.behaviour.reply = unclear;
    const username = newMobile();
    expect(await send(server, username, "203.0.113.1")).toBe(1);
    server.advanceClock(60);
    expect(await send(server, username, "203.0.113.1")).toEqual({ retry_after: hour - 60 });
  });

  it("counts for the hour once guesses were compared with it, so that their number stays limited", async () => {
    const server = await createServer(engine);
    const username = newMobile();
    aliyun.behaviour.reply = refused;
    for (let minute = 0; minute < 5; minute += 1) {
      const release = aliyun.hold();
      await client(server).call(contract.sendCode, { username });
      expect(await logIn(server, username, "000000")).toBe(20001);
      release();
      await server.waitForDelivery();
      server.advanceClock(60);
    }
    expect(await send(server, username, "203.0.113.1")).toEqual({ retry_after: hour - 300 });
  });

  it.each([
    ["refuses", refused],
    ["may have sent", unclear],
  ])(
    "leaves responses as they are for an unknown account, when the service %s them",
    { timeout: 60_000 },
    async (_what, reply) => {
      aliyun.behaviour.reply = reply;
      const record = async (username: string) => {
        const server = await createServer(engine);
        const responses: unknown[] = [];
        const call = async (path: string, payload: object, from: string) => {
          const { status, headers, text } = await server.request(path, { body: payload, from });
          await server.waitForDelivery();
          responses.push([path, status, text, [...headers].filter(([name]) => name !== "x-request-id")]);
        };
        for (let minute = 0; minute < 7; minute += 1) {
          const from = `203.0.113.${minute}`;
          await call(contract.sendCode.path, { username }, from);
          for (let tries = 0; tries < 6; tries += 1)
            await call(contract.login.path, { username, verification_code: "000000" }, tries % 2 ? from : "203.0.113.200");
          server.advanceClock(60);
        }
        return JSON.stringify(responses);
      };
      expect(await record("deaf")).toBe(await record("demo"));
    },
  );
});
