import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createApp, createContext } from "#server/app.ts";
import { readConfig } from "#server/config/config.ts";
import { earlierCodes, loginCodes, sendLog, sessions } from "#server/db/schema/session.ts";
import { toClientNetwork } from "#server/http/client-ip.ts";
import { toSubnets } from "#server/modules/session/send-quota.ts";
import { createMessageQueue } from "#server/sms/sms.ts";
import type { Call } from "#src/api/call.ts";
import { contract } from "#src/api/contract.ts";
import { client, createRequest, readResponse, type TestRequest } from "#tests/support/client/client.ts";
import { createBuyer } from "#tests/support/client/order.ts";
import { describeOnEngines, type Engine, freshDatabase } from "#tests/support/database/database.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";
import { type AliyunStub, startAliyun } from "#tests/support/stubs/aliyun.ts";

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

const day = 24 * hour;

/** Requests a code for a new number from each of so many addresses, and returns how many are sent. */
async function countSentCodes(server: TestServer, count: number, format: (n: number) => string): Promise<number> {
  const addresses = networks(count, format);
  let sent = 0;
  for (let at = 0; at < addresses.length; at += 20) {
    const batch = addresses.slice(at, at + 20);
    const requests = batch.map((from) => client(server).send(contract.sendCode, { username: newMobile() }, { from }));
    for (const { code } of await Promise.all(requests)) {
      expect([1, 10004]).toContain(code);
      if (code === 1) sent += 1;
    }
  }
  return sent;
}

const hex = (n: number) => n.toString(16);
const networks = (count: number, format: (n: number) => string) => Array.from({ length: count }, (_, n) => format(n));

describeOnEngines("the quota of login codes per network on %s", (engine) => {
  it("allows 60 codes an hour to the /64s of one /56, without affecting the next /56", async () => {
    const server = await createTestServer(engine);
    expect(await countSentCodes(server, 80, (n) => `2001:db8:1:7${hex(n).padStart(2, "0")}::1`)).toBe(60);
    expect(await countSentCodes(server, 1, () => "2001:db8:1:800::1")).toBe(1);
    server.advanceClock(hour);
    expect(await countSentCodes(server, 1, () => "2001:db8:1:7ff::1")).toBe(1);
  });

  it("allows 200 codes an hour to the /56s of one /48, without affecting the next /48", { tags: ["full"] }, async () => {
    const server = await createTestServer(engine);
    expect(await countSentCodes(server, 220, (n) => `2001:db8:2:${hex(n * 256)}::1`)).toBe(200);
    expect(await countSentCodes(server, 1, () => "2001:db8:3::1")).toBe(1);
    server.advanceClock(hour);
    expect(await countSentCodes(server, 1, () => "2001:db8:2:ffff::1")).toBe(1);
  });

  it("counts each IPv4 address separately", async () => {
    const server = await createTestServer(engine, { env: { CODES_PER_HOUR_PER_56: "2", CODES_PER_HOUR_PER_48: "2" } });
    expect(await countSentCodes(server, 30, (n) => `203.0.113.${n}`)).toBe(30);
  });

  it("ignores codes sent while the clock was ahead", async () => {
    const server = await createTestServer(engine);
    const username = newMobile();
    const requestCode = async () => (await client(server).send(contract.sendCode, { username }, { from: "203.0.113.5" })).code;
    server.advanceClock(day);
    for (let sent = 0; sent < 5; sent += 1) {
      expect(await requestCode()).toBe(1);
      server.advanceClock(60);
    }
    server.advanceClock(-day - 300);
    expect(await requestCode()).toBe(1);
    // New codes count as usual.
    expect(await requestCode()).toBe(10004);
  });

  it("rejects a login code created while the clock was ahead", async () => {
    const server = await createTestServer(engine);
    const username = newMobile();
    server.advanceClock(day);
    const verification_code = await server.requestCode(username);
    server.advanceClock(-day);
    expect(await client(server).error(contract.login, { username, verification_code })).toBe(20001);
  });

  it("deletes mobile numbers after a day, also without further requests", async () => {
    const server = await createTestServer(engine);
    await server.logIn(newMobile());
    await server.requestCode(newMobile());
    server.advanceClock(day - 1);
    await server.runScheduler();
    expect(await server.db.$count(sendLog)).toBe(2);
    expect(await server.db.$count(loginCodes)).toBe(0);
    server.advanceClock(1);
    await server.runScheduler();
    expect(await server.db.$count(sendLog)).toBe(0);
    server.advanceClock(30 * day);
    await server.runScheduler();
    expect(await server.db.$count(sessions)).toBe(0);
  });
});

describeOnEngines("guesses from another network on %s", (engine) => {
  const home = "203.0.113.5";

  /** Requests a code, and returns what submits a wrong and the right one. */
  async function createGuesses(server: TestServer, from = home, username = newMobile()) {
    const right = await server.requestCode(username, { from });
    const submitCode = async (verification_code: string | undefined, from: string) =>
      (await client(server).send(contract.login, { username, verification_code }, { from })).code;
    return {
      wrong: (from: string) => submitCode(right === "000000" ? "000001" : "000000", from),
      right: (from: string) => submitCode(right, from),
    };
  }

  it.each([
    ["IPv4", home, home],
    ["IPv6", "2001:db8:0:7::5", "2001:db8:0:7:ffff::1"],
  ])(
    "use at most two of a code's five tries, and three remain for the network that requested it (%s)",
    async (_what, from, same) => {
      const guesses = await createGuesses(await createTestServer(engine), from);
      const responseCodes = await Promise.all(networks(20, (n) => `198.51.100.${n}`).map(guesses.wrong));
      expect(responseCodes.filter((code) => code === 20001)).toHaveLength(2);
      expect(responseCodes.filter((code) => code === 20003)).toHaveLength(18);
      expect(await guesses.wrong(same)).toBe(20001);
      expect(await guesses.wrong(same)).toBe(20001);
      expect(await guesses.right("198.51.100.1")).toBe(20003);
      expect(await guesses.right(same)).toBe(1);
    },
  );

  it("do not lock a member out, even with five guesses at every code", async () => {
    const server = await createTestServer(engine);
    for (let time = 0; time < 3; time += 1) {
      const guesses = await createGuesses(server, home, "13800138000");
      for (let tries = 0; tries < 5; tries += 1) await guesses.wrong("198.51.100.7");
      expect(await guesses.right(home)).toBe(1);
      server.advanceClock(60);
    }
  });

  it("log the member in when the code is right", async () => {
    const guesses = await createGuesses(await createTestServer(engine));
    expect(await guesses.wrong("198.51.100.7")).toBe(20001);
    expect(await guesses.right("198.51.100.8")).toBe(1);
  });

  it("are limited by CODE_TRIES_ELSEWHERE and never exceed CODE_TRIES", async () => {
    const tries = async (env: Record<string, string>) => {
      const server = await createTestServer(engine, { env });
      const guesses = await createGuesses(server);
      const responseCodes = await Promise.all(networks(10, (n) => `198.51.100.${n}`).map(guesses.wrong));
      const [row] = await server.db.select({ tries: sql<number>`tries` }).from(loginCodes);
      return { compared: responseCodes.filter((code) => code === 20001).length, counted: row?.tries };
    };
    expect(await tries({ CODE_TRIES_ELSEWHERE: "0" })).toEqual({ compared: 0, counted: 0 });
    expect(await tries({ CODE_TRIES: "3", CODE_TRIES_ELSEWHERE: "4" })).toEqual({ compared: 3, counted: 3 });
  });
});

describe("the subnets of an address", () => {
  it.each([
    ["2001:db8:0:7::5", "2001:db8:0:0::/56", "2001:db8:0::/48"],
    ["2001:db8:0:07ff::5", "2001:db8:0:700::/56", "2001:db8:0::/48"],
    ["2001:DB8::1", "2001:db8:0:0::/56", "2001:db8:0::/48"],
    ["fe80:1:2:abcd:1::%eth0", "fe80:1:2:ab00::/56", "fe80:1:2::/48"],
  ])("subnets of %s are %s and %s", (address, net56, net48) => {
    expect(toSubnets(toClientNetwork(address))).toEqual({ net56, net48 });
  });

  it.each(["203.0.113.9", "::ffff:203.0.113.9", "", "unknown"])("subnets of %j are null", (address) => {
    expect(toSubnets(toClientNetwork(address))).toEqual({ net56: null, net48: null });
  });
});

let last = 0;
/** Requests a code from an address of its own; returns the response without its id, and how many codes were sent. */
async function requestCounted(server: TestServer, username: string, locale = "en-US") {
  last += 1;
  const before = server.sentMessages.length;
  const options = { from: `198.18.${last >> 8}.${last & 255}`, locale };
  const { status, headers, text } = await client(server).send(contract.sendCode, { username }, options);
  await server.waitForDelivery();
  const named = [...headers].filter(([name]) => name !== "x-request-id");
  return { response: JSON.stringify([status, named, text]), sent: server.sentMessages.length - before };
}

const requestCodes = async (server: TestServer, usernames: string[]) => {
  let sent = 0;
  for (const username of usernames) sent += (await requestCounted(server, username)).sent;
  return sent;
};
const mobiles = (count: number) => Array.from({ length: count }, newMobile);

/** Creates members with an order each, paid or not, and a server a day later. */
async function createReserve(engine: Engine, env: Record<string, string>, buyers: number) {
  const before = await createTestServer(engine);
  const ordered = mobiles(buyers);
  for (const [index, mobile] of ordered.entries()) {
    const buyer = await createBuyer(before, mobile);
    await (index % 2 ? buyer.order() : buyer.buyPackage());
  }
  const server = await createTestServer(engine, { env, db: before.db });
  server.advanceClock(24 * hour);
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  return { server, ordered, warn };
}

describeOnEngines("the reserve of login codes on %s", (engine) => {
  it("is a fifth of CODES_PER_HOUR_HOST: beyond the others, only numbers with an order receive codes", async () => {
    const { server, ordered, warn } = await createReserve(engine, { CODES_PER_HOUR_HOST: "15" }, 5);
    expect(await requestCodes(server, mobiles(20))).toBe(12);
    expect(await requestCodes(server, [...mobiles(5), ...ordered.slice(0, 2)])).toBe(2);
    // Members without an order are like anybody.
    expect(await requestCodes(server, ["demo", "nobody", "13800138001"])).toBe(0);
    expect(await requestCodes(server, ordered.slice(2))).toBe(1);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^12 of the 15 login codes per hour \(CODES_PER_HOUR_HOST\)/)]]);
    server.advanceClock(hour - 1);
    expect(await requestCodes(server, mobiles(1))).toBe(0);
    server.advanceClock(1);
    expect(await requestCodes(server, mobiles(13))).toBe(12);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it("warns once an hour, also when codes of a rolling hour run out again and again", async () => {
    const { server, warn } = await createReserve(engine, { CODES_PER_HOUR_HOST: "5", CODES_PER_HOUR_RESERVED: "2" }, 0);
    for (let tenMinutes = 0; tenMinutes < 12; tenMinutes += 1) {
      await requestCodes(server, mobiles(2));
      server.advanceClock(600);
    }
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["0", 5, 0],
    ["2", 3, 2],
    ["5", 0, 5],
  ])("is CODES_PER_HOUR_RESERVED=%s where that is set", async (CODES_PER_HOUR_RESERVED, others, reserved) => {
    const { server, ordered } = await createReserve(engine, { CODES_PER_HOUR_HOST: "5", CODES_PER_HOUR_RESERVED }, 6);
    expect(await requestCodes(server, mobiles(7))).toBe(others);
    expect(await requestCodes(server, ordered)).toBe(reserved);
  });

  it.each(["zh-CN", "en-US"])(
    "shows in no response whether a number has ordered, before, at and over the ceiling (%s)",
    async (locale) => {
      const { server, ordered } = await createReserve(engine, { CODES_PER_HOUR_HOST: "5" }, 3);
      const record = async (username: string) => {
        const responses: string[] = [];
        for (let send = 0; send < 3; send += 1) {
          for (let again = 0; again < 2; again += 1) responses.push((await requestCounted(server, username, locale)).response);
          for (let tries = 0; tries < 4; tries += 1) {
            const payload = { username, verification_code: "000000" };
            const { status, text } = await client(server, { locale }).send(contract.login, payload);
            responses.push(JSON.stringify([status, text]));
          }
          server.advanceClock(60);
        }
        return responses;
      };
      /** Returns the receivers of codes of one member with an order and one number without, which look the same in responses. */
      const compare = async (mobile = "") => {
        const other = `${mobile.slice(0, 5)}${mobile[5] === "9" ? "8" : "9"}${mobile.slice(6)}`;
        const before = server.sentMessages.length;
        const responses = await record(mobile);
        expect(await record(other)).toEqual(responses);
        return server.sentMessages.slice(before).map(({ to }) => (to === mobile ? "ordered" : "other"));
      };
      await requestCodes(server, mobiles(4));
      expect(await compare(ordered[0])).toEqual(["ordered"]);
      expect(await compare(ordered[1])).toEqual([]);
      server.advanceClock(hour);
      expect(await compare(ordered[2])).toEqual(["ordered", "ordered", "ordered", "other"]);
    },
  );

  it("counts requests without a code for the number and its network as others", async () => {
    const { server } = await createReserve(engine, { CODES_PER_HOUR_HOST: "1", CODES_PER_HOUR_PER_IP: "3" }, 0);
    await requestCodes(server, mobiles(1));
    const send = (username: string) => client(server).send(contract.sendCode, { username });
    const [mobile = "", ...others] = mobiles(4);
    expect((await send(mobile)).code).toBe(1);
    expect(await send(mobile)).toMatchObject({ code: 10004, data: { retry_after: 60 } });
    for (const username of others.slice(0, 2)) expect((await send(username)).code).toBe(1);
    expect(await send(others[2] ?? "")).toMatchObject({ code: 10004, data: { retry_after: hour } });
  });

  it("is not used up by the requests of others, however many", { tags: ["long"] }, async () => {
    const { server, ordered } = await createReserve(engine, {}, 1);
    const usernames = mobiles(1_300);
    for (let at = 0; at < usernames.length; at += 50)
      await Promise.all(
        usernames
          .slice(at, at + 50)
          .map((username, n) => client(server).call(contract.sendCode, { username }, { from: `198.19.${at / 50}.${n}` })),
      );
    await server.waitForDelivery();
    expect(server.sentMessages).toHaveLength(800);
    expect(await requestCodes(server, ordered)).toBe(1);
  });
});

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

/** Creates a server, and requests a code that arrives for a number. */
async function withCode(engine: Engine) {
  const server = await createServer(engine);
  const username = newMobile();
  return { server, username, first: await requestCode(server, username) };
}

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

/** Requests a code a minute later, which the service treats as `reply` says. */
function requestNext(server: TestServer, username: string, reply: object) {
  server.advanceClock(60);
  aliyun.behaviour.replies = [reply, reply];
  return requestCode(server, username);
}

describeOnEngines("a login code on %s", (engine) => {
  it("stays valid when the service refuses a newer one", async () => {
    const { server, username, first } = await withCode(engine);
    expect(await requestNext(server, username, refused)).toBeUndefined();
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
    const { server, username, first } = await withCode(engine);
    const codes = { first, second: await requestNext(server, username, unclear) };
    expect(aliyun.counts.requests).toBe(3);
    expect(await logIn(server, username, codes[one])).toBe(1);
    expect(await logIn(server, username, codes[other])).toBe(20001);
  });

  it("is valid beside any number of newer ones that did not arrive for certain, for its own time", async () => {
    const { server, username, first } = await withCode(engine);
    const codes = [];
    for (const reply of [unclear, refused, unclear]) codes.push(await requestNext(server, username, reply));
    server.advanceClock(300 - 3 * 60);
    expect(await logIn(server, username, first)).toBe(20001);
    expect(await logIn(server, username, codes[0])).toBe(1);
    await server.runScheduler();
    expect(await server.db.$count(earlierCodes)).toBe(0);
  });

  it("has five tries of its own, two of them from elsewhere, beside a newer one", async () => {
    const { server, username, first } = await withCode(engine);
    for (let tries = 0; tries < 3; tries += 1) expect(await logIn(server, username, not(first))).toBe(20001);
    const second = await requestNext(server, username, unclear);
    const wrong = not(first, second);
    expect(await logIn(server, username, wrong, "198.51.100.1")).toBe(20001);
    expect(await logIn(server, username, wrong, "198.51.100.2")).toBe(20001);
    expect(await logIn(server, username, wrong, "198.51.100.3")).toBe(20003);
    // Five tries are spent at the first code, two at the second.
    expect(await logIn(server, username, first)).toBe(20001);
    expect(await logIn(server, username, second)).toBe(1);
  });

  it("is valid for its owner when others have used up the tries of a newer one that was refused", async () => {
    const { server, username, first } = await withCode(engine);
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
