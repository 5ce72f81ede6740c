import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { loginCodes, sendLog, sessions } from "../../server/db/schema/session.ts";
import { engines } from "../support/database.ts";
import { createTestServer, newMobile, type TestServer } from "../support/test-server.ts";

const send = "/v1/VerificationCode/send";
const login = "/v1/user/vcodeLogin";
const hour = 3600;
const day = 24 * hour;

/** Requests a code for a new number from each address, and returns how many are sent. */
async function countSentCodes(server: TestServer, addresses: string[]): Promise<number> {
  let sent = 0;
  for (let at = 0; at < addresses.length; at += 20) {
    const some = addresses.slice(at, at + 20).map((from) => server.ask(send, { body: { username: newMobile() }, from }));
    for (const { code } of await Promise.all(some)) {
      expect([1, 10004]).toContain(code);
      if (code === 1) sent += 1;
    }
  }
  return sent;
}

const hex = (n: number) => n.toString(16);
const networks = (count: number, write: (n: number) => string) => Array.from({ length: count }, (_, n) => write(n));

describe.each(engines)("the quota of login codes per network on %s", (engine) => {
  it("allows 60 codes an hour to the /64s of one /56, without affecting the next /56", async () => {
    const server = await createTestServer(engine);
    expect(
      await countSentCodes(
        server,
        networks(80, (n) => `2001:db8:1:7${hex(n).padStart(2, "0")}::1`),
      ),
    ).toBe(60);
    expect(await countSentCodes(server, ["2001:db8:1:800::1"])).toBe(1);
    server.wait(hour);
    expect(await countSentCodes(server, ["2001:db8:1:7ff::1"])).toBe(1);
  });

  it("allows 200 codes an hour to the /56s of one /48, without affecting the next /48", async () => {
    const server = await createTestServer(engine);
    expect(
      await countSentCodes(
        server,
        networks(220, (n) => `2001:db8:2:${hex(n * 256)}::1`),
      ),
    ).toBe(200);
    expect(await countSentCodes(server, ["2001:db8:3::1"])).toBe(1);
    server.wait(hour);
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
    const body = { username: newMobile() };
    const ask = async () => (await server.ask(send, { body, from: "203.0.113.5" })).code;
    server.wait(day);
    for (let sent = 0; sent < 5; sent += 1) {
      expect(await ask()).toBe(1);
      server.wait(60);
    }
    server.wait(-day - 300);
    expect(await ask()).toBe(1);
    // New codes count as usual.
    expect(await ask()).toBe(10004);
  });

  it("rejects a login code created while the clock was ahead", async () => {
    const server = await createTestServer(engine);
    const username = newMobile();
    server.wait(day);
    const verification_code = await server.codeFor(username);
    server.wait(-day);
    expect((await server.ask(login, { body: { username, verification_code } })).code).toBe(20001);
  });

  it("deletes mobile numbers after a day, also without further requests", async () => {
    const server = await createTestServer(engine);
    await server.logIn(newMobile());
    await server.codeFor(newMobile());
    server.wait(day - 1);
    await server.sweep();
    expect(await server.db.$count(sendLog)).toBe(2);
    expect(await server.db.$count(loginCodes)).toBe(0);
    server.wait(1);
    await server.sweep();
    expect(await server.db.$count(sendLog)).toBe(0);
    server.wait(30 * day);
    await server.sweep();
    expect(await server.db.$count(sessions)).toBe(0);
  });
});

describe.each(engines)("guesses from another network on %s", (engine) => {
  const createGuesses = (server: TestServer, username: string, right: string | undefined) => ({
    wrong: async (from: string) =>
      (await server.ask(login, { body: { username, verification_code: right === "000000" ? "000001" : "000000" }, from })).code,
    right: async (from: string) => (await server.ask(login, { body: { username, verification_code: right }, from })).code,
  });

  it.each([
    ["IPv4", "203.0.113.5", "203.0.113.5"],
    ["IPv6", "2001:db8:0:7::5", "2001:db8:0:7:ffff::1"],
  ])(
    "use at most two of a code's five tries, and three remain for the network that requested it (%s)",
    async (_what, from, same) => {
      const server = await createTestServer(engine);
      const username = newMobile();
      const guesses = createGuesses(server, username, await server.codeFor(username, { from }));
      const answers = await Promise.all(networks(20, (n) => `198.51.100.${n}`).map(guesses.wrong));
      expect(answers.filter((code) => code === 20001)).toHaveLength(2);
      expect(answers.filter((code) => code === 20003)).toHaveLength(18);
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
      const guesses = createGuesses(server, username, await server.codeFor(username, { from: "203.0.113.5" }));
      for (let tries = 0; tries < 5; tries += 1) await guesses.wrong("198.51.100.7");
      expect(await guesses.right("203.0.113.5")).toBe(1);
      server.wait(60);
    }
  });

  it("log the member in when the code is right", async () => {
    const server = await createTestServer(engine);
    const username = newMobile();
    const guesses = createGuesses(server, username, await server.codeFor(username, { from: "203.0.113.5" }));
    expect(await guesses.wrong("198.51.100.7")).toBe(20001);
    expect(await guesses.right("198.51.100.8")).toBe(1);
  });

  it("are limited by CODE_TRIES_ELSEWHERE and never exceed CODE_TRIES", async () => {
    const tries = async (env: Record<string, string>) => {
      const server = await createTestServer(engine, { env });
      const username = newMobile();
      const guesses = createGuesses(server, username, await server.codeFor(username, { from: "203.0.113.5" }));
      const answers = await Promise.all(networks(10, (n) => `198.51.100.${n}`).map(guesses.wrong));
      const [row] = await server.db.select({ tries: sql<number>`tries` }).from(loginCodes);
      return { compared: answers.filter((code) => code === 20001).length, counted: row?.tries };
    };
    expect(await tries({ CODE_TRIES_ELSEWHERE: "0" })).toEqual({ compared: 0, counted: 0 });
    expect(await tries({ CODE_TRIES: "3", CODE_TRIES_ELSEWHERE: "4" })).toEqual({ compared: 3, counted: 3 });
  });
});
