import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { loginCodes, sendLog, sessions } from "../../server/db/schema/session.ts";
import { toClientNetwork } from "../../server/http/client-ip.ts";
import { toSubnets } from "../../server/modules/session/send-quota.ts";
import { contract } from "../../src/api/contract.ts";
import { client } from "../support/client/client.ts";
import { describeOnEngines } from "../support/database/database.ts";
import { createTestServer, newMobile, type TestServer } from "../support/processes/test-server.ts";

const hour = 3600;
const day = 24 * hour;

/** Requests a code for a new number from each address, and returns how many are sent. */
async function countSentCodes(server: TestServer, addresses: string[]): Promise<number> {
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
    expect(
      await countSentCodes(
        server,
        networks(80, (n) => `2001:db8:1:7${hex(n).padStart(2, "0")}::1`),
      ),
    ).toBe(60);
    expect(await countSentCodes(server, ["2001:db8:1:800::1"])).toBe(1);
    server.advanceClock(hour);
    expect(await countSentCodes(server, ["2001:db8:1:7ff::1"])).toBe(1);
  });

  it("allows 200 codes an hour to the /56s of one /48, without affecting the next /48", { tags: ["full"] }, async () => {
    const server = await createTestServer(engine);
    expect(
      await countSentCodes(
        server,
        networks(220, (n) => `2001:db8:2:${hex(n * 256)}::1`),
      ),
    ).toBe(200);
    expect(await countSentCodes(server, ["2001:db8:3::1"])).toBe(1);
    server.advanceClock(hour);
    expect(await countSentCodes(server, ["2001:db8:2:ffff::1"])).toBe(1);
  });

  it("counts each IPv4 address separately", async () => {
    const server = await createTestServer(engine, { env: { CODES_PER_HOUR_PER_56: "2", CODES_PER_HOUR_PER_48: "2" } });
    expect(
      await countSentCodes(
        server,
        networks(30, (n) => `203.0.113.${n}`),
      ),
    ).toBe(30);
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
  function createGuesses(server: TestServer, username: string, right: string | undefined) {
    const submitCode = async (verification_code: string | undefined, from: string) =>
      (await client(server).send(contract.login, { username, verification_code }, { from })).code;
    return {
      wrong: (from: string) => submitCode(right === "000000" ? "000001" : "000000", from),
      right: (from: string) => submitCode(right, from),
    };
  }

  it.each([
    ["IPv4", "203.0.113.5", "203.0.113.5"],
    ["IPv6", "2001:db8:0:7::5", "2001:db8:0:7:ffff::1"],
  ])(
    "use at most two of a code's five tries, and three remain for the network that requested it (%s)",
    async (_what, from, same) => {
      const server = await createTestServer(engine);
      const username = newMobile();
      const guesses = createGuesses(server, username, await server.requestCode(username, { from }));
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
    const username = "13800138000";
    for (let time = 0; time < 3; time += 1) {
      const guesses = createGuesses(server, username, await server.requestCode(username, { from: "203.0.113.5" }));
      for (let tries = 0; tries < 5; tries += 1) await guesses.wrong("198.51.100.7");
      expect(await guesses.right("203.0.113.5")).toBe(1);
      server.advanceClock(60);
    }
  });

  it("log the member in when the code is right", async () => {
    const server = await createTestServer(engine);
    const username = newMobile();
    const guesses = createGuesses(server, username, await server.requestCode(username, { from: "203.0.113.5" }));
    expect(await guesses.wrong("198.51.100.7")).toBe(20001);
    expect(await guesses.right("198.51.100.8")).toBe(1);
  });

  it("are limited by CODE_TRIES_ELSEWHERE and never exceed CODE_TRIES", async () => {
    const tries = async (env: Record<string, string>) => {
      const server = await createTestServer(engine, { env });
      const username = newMobile();
      const guesses = createGuesses(server, username, await server.requestCode(username, { from: "203.0.113.5" }));
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
