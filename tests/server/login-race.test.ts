import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "#src/api/contract.ts";
import { clientAt } from "#tests/support/client/client.ts";
import { hasPostgres, newPostgres } from "#tests/support/database/database.ts";
import { deliveredTo, newFolder, startServer, withPostgres } from "#tests/support/processes/child-process.ts";
import { newMobile } from "#tests/support/processes/test-server.ts";
import { createLoadUsers, createTotePayload, failsOnce, type TwoServers, twoServers } from "#tests/support/races/load.ts";
import type { Mutation } from "#tests/support/races/mutations.ts";
import { type AliyunStub, startAliyun } from "#tests/support/stubs/aliyun.ts";

type Order = "wrong first" | "mixed" | "all right";

/** Sends 50 right and 100 wrong guesses at one code at once, the first 40 wrong or every third right; or 150 right ones. */
async function submitGuesses({ folder, number, origin }: TwoServers, order: Order) {
  const username = newMobile();
  await clientAt(origin(0)).send(contract.sendCode, { username });
  const rightCode = await deliveredTo(folder, username);
  const wrongCode = rightCode === "111111" ? "222222" : "111111";
  const isRight = (n: number) => order === "all right" || (order === "mixed" ? n % 3 === 0 : n >= 40 && n < 140 && n % 2 === 0);
  const guesses = Array.from({ length: 150 }, (_, n) => (isRight(n) ? rightCode : wrongCode));
  const responses = await Promise.all(
    guesses.map((verification_code, n) => clientAt(origin(n)).send(contract.login, { username, verification_code })),
  );
  expect(responses.every(({ code }) => [1, 20001, 20003].includes(code))).toBe(true);
  const evaluations = await number(`select tries from login_codes where subject = '${username}'`);
  return { tokens: responses.filter(({ code }) => code === 1).length, evaluations };
}

let aliyun: AliyunStub;
beforeAll(async () => {
  aliyun = await startAliyun();
});
afterAll(() => aliyun.close());

/** Guesses at two codes of one number, of which the service may have sent both: 20 wrong ones, then 40 right ones of each, all at once; or right ones alone. */
async function guessTwoCodes({ query, number, origin }: TwoServers, wrongCount: number) {
  const username = newMobile();
  aliyun.reset();
  // Its gateway responds with an error, whereupon the server tries again: one code arrives twice.
  aliyun.behaviour.reply = { status: 502, body: "", isSent: true };
  const requestCode = async (arrived: number) => {
    await clientAt(origin(0)).call(contract.sendCode, { username });
    await expect.poll(() => aliyun.messages, { timeout: 10_000 }).toHaveLength(arrived);
    return String(aliyun.messages.at(-1)?.code);
  };
  const first = await requestCode(2);
  await query(`update send_log set at = at - interval '1 minute' where subject = '${username}'`);
  const second = await requestCode(4);
  const wrong = ["111111", "222222", "333333"].filter((code) => code !== first && code !== second);
  const guesses = Array.from({ length: wrongCount + 80 }, (_, n) => (n < wrongCount ? wrong[0] : n % 2 ? first : second));
  const responses = await Promise.all(
    guesses.map((verification_code, n) => clientAt(origin(n >> 1)).send(contract.login, { username, verification_code })),
  );
  expect(responses.every(({ code }) => [1, 20001, 20003].includes(code))).toBe(true);
  const tries = (table: string) => number(`select coalesce(max(tries), 0) from ${table} where subject = '${username}'`);
  const tokens = responses.filter(({ code }) => code === 1).length;
  return { tokens, evaluations: Math.max(await tries("login_codes"), await tries("earlier_codes")) };
}

const unlimited = { CODES_PER_HOUR_PER_IP: "1000000" };
const rounds = 5;

async function sendInParallel(guards: Mutation[]) {
  const { number, origin } = await twoServers(guards);
  const responses = await Promise.all(
    Array.from({ length: 80 }, (_, n) => clientAt(origin(n)).send(contract.sendCode, { username: newMobile() })),
  );
  const count = await number("select count(*) from send_log");
  expect(responses.filter(({ code }) => code === 1)).toHaveLength(count);
  expect(responses.every(({ code }) => code === 1 || code === 10004)).toBe(true);
  return count;
}

describe.skipIf(!hasPostgres)("concurrent logins at two servers on one PostgreSQL", { tags: ["full"] }, () => {
  it("compare at most 5 of 150 guesses at one code and open at most one session, exactly one when all are right", async () => {
    const servers = await twoServers([], unlimited);
    for (let round = 0; round < rounds; round += 1) {
      const figures = [await submitGuesses(servers, "wrong first"), await submitGuesses(servers, "mixed")];
      for (const { evaluations, tokens } of figures) {
        expect(evaluations).toBeLessThanOrEqual(5);
        expect(tokens).toBeLessThanOrEqual(1);
      }
      const { evaluations, tokens } = await submitGuesses(servers, "all right");
      expect(evaluations).toBeLessThanOrEqual(5);
      expect(tokens).toBe(1);
    }
  });

  it("compare more than 5 guesses without the limit of tries", async () => {
    const servers = await twoServers(["code-tries"], unlimited);
    expect(await failsOnce(async () => (await submitGuesses(servers, "wrong first")).evaluations > 5)).toBe(true);
  });

  it("open several sessions with one code when a code can be used twice", async () => {
    const servers = await twoServers(["code-once"], unlimited);
    expect(await failsOnce(async () => (await submitGuesses(servers, "all right")).tokens > 1)).toBe(true);
  });

  it("compare at most 5 guesses with each of two valid codes, and open one session with both", { tags: ["long"] }, async () => {
    const servers = await twoServers([], { ...unlimited, ...aliyun.env });
    for (let round = 0; round < rounds; round += 1) {
      const { evaluations, tokens } = await guessTwoCodes(servers, 20);
      expect(evaluations).toBeLessThanOrEqual(5);
      expect(tokens).toBeLessThanOrEqual(1);
      expect((await guessTwoCodes(servers, 0)).tokens).toBe(1);
    }
  });

  it("compare more than 5 guesses with two codes without the limit of tries", { tags: ["long"] }, async () => {
    const servers = await twoServers(["code-tries"], { ...unlimited, ...aliyun.env });
    expect(await failsOnce(async () => (await guessTwoCodes(servers, 20)).evaluations > 5)).toBe(true);
  });

  it("open several sessions with two codes when codes can be used twice", { tags: ["long"] }, async () => {
    const servers = await twoServers(["code-once"], { ...unlimited, ...aliyun.env });
    expect(await failsOnce(async () => (await guessTwoCodes(servers, 0)).tokens > 1)).toBe(true);
  });

  it("send exactly 20 codes to one address for 80 concurrent requests", async () => {
    expect(await sendInParallel([])).toBe(20);
  });

  it("send more than 20 codes to one address without the quota lock", async () => {
    expect(await failsOnce(async () => (await sendInParallel(["code-quota"])) > 20)).toBe(true);
  });

  it("accept each other's codes and sessions, also when both start on an empty database at once", async () => {
    const folder = newFolder();
    const url = await newPostgres("empty");
    const starting = Array.from({ length: 3 }, () => startServer(withPostgres(url, folder)));
    const [one, other, third] = await Promise.all(starting);
    if (!one || !other || !third) throw new Error("unreachable");
    const username = newMobile();
    await clientAt(one.origin).send(contract.sendCode, { username });
    const verification_code = await deliveredTo(folder, username);
    const { token } = await clientAt(other.origin).call(contract.login, { username, verification_code });
    const tokens = [];
    for (const { origin } of [one, third]) tokens.push(await clientAt(origin).call(contract.userToken, undefined, { token }));
    expect(tokens[0]).toMatchObject({ app_response_code: 1, app_user_token: expect.any(String) });
    expect(tokens[1]?.chat_token).toBe(tokens[0]?.chat_token);
    // Signed by the same key.
    expect(tokens[1]?.app_user_token?.split(".")[0]).toBe(tokens[0]?.app_user_token?.split(".")[0]);
    expect((await clientAt(third.origin).call(contract.goodsLists)).list).toEqual([]);
  });
});

/** Key of the lock under which codes are counted: see `server/modules/session/send-quota.ts`. */
const key = 7_210_002;

/** Runs `work` while another connection holds that lock, like a process that hangs. */
async function withQuotaLock(url: string, work: () => Promise<void>): Promise<void> {
  const other = new Client(url);
  await other.connect();
  try {
    await other.query("select pg_advisory_lock($1)", [key]);
    await work();
  } finally {
    await other.end();
  }
}

/** Resolves with the result within 2 s, half of the lock timeout; otherwise with null. */
function withinTwoSeconds<Result>(response: Promise<Result>): Promise<Result | null> {
  return Promise.race([response, new Promise<null>((resolve) => setTimeout(() => resolve(null), 2_000))]);
}

/** Requests codes for 60 numbers without an order and then for 20 with one, of 40 an hour, and counts the codes that are sent. */
async function sendOverCeiling(guards: Mutation[]) {
  const servers = await twoServers(guards, { CODES_PER_HOUR_HOST: "40", CODES_PER_HOUR_PER_IP: "1000" });
  const members = await createLoadUsers(servers.query, 20);
  await Promise.all(
    members.map((user, n) =>
      clientAt(servers.origin(n)).call(contract.mallCreateOrder, createTotePayload(user.addressId), { token: user.token }),
    ),
  );
  const mobiles = await servers.query("select mobile from members where id = any($1)", [
    members.map(({ memberId }) => memberId),
  ]);
  const ordered = new Set(mobiles.map(({ mobile }) => String(mobile)));
  for (const usernames of [Array.from({ length: 60 }, newMobile), [...ordered]]) {
    const requests = usernames.map((username, n) => clientAt(servers.origin(n)).send(contract.sendCode, { username }));
    for (const { code } of await Promise.all(requests)) expect(code).toBe(1);
  }
  const count = (text: string) => servers.output().split(text).length - 1;
  const receivers = () => Array.from(servers.output().matchAll(/Login code for (\d{11}):/g), ([, mobile = ""]) => mobile);
  const granted = await servers.number("select count(*) from send_log where counts_for_server");
  await expect.poll(receivers, { timeout: 5_000 }).toHaveLength(granted);
  const orderedCount = receivers().filter((mobile) => ordered.has(mobile)).length;
  return { others: granted - orderedCount, ordered: orderedCount, warnings: count("CODES_PER_HOUR_HOST") };
}

describe.skipIf(!hasPostgres)("the rate limit of login codes at two servers", { tags: ["full"] }, () => {
  it("refuses a request over the limit without waiting for the quota lock", async () => {
    const { origin, url } = await twoServers();
    const username = newMobile();
    expect((await clientAt(origin(0)).send(contract.sendCode, { username })).code).toBe(1);
    await withQuotaLock(url, async () => {
      expect(await withinTwoSeconds(clientAt(origin(0)).send(contract.sendCode, { username }))).toMatchObject({
        status: 200,
        code: 10004,
      });
    });
  });

  it("leaves database connections to other calls while requests wait for the quota lock", async () => {
    const { origin, url } = await twoServers([], { CODES_PER_HOUR_PER_IP: "1000" });
    await withQuotaLock(url, async () => {
      const requests = Array.from({ length: 40 }, () => clientAt(origin(0)).send(contract.sendCode, { username: newMobile() }));
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await withinTwoSeconds(clientAt(origin(0)).send(contract.activityInfo))).toMatchObject({
        code: 1,
      });
      // Once one request times out, the queued ones fail with it.
      const responses = await Promise.all(requests);
      expect(responses.map(({ code }) => code)).toEqual(Array.from({ length: 40 }, () => 10503));
    });
  });

  it("sends exactly the codes for everybody and those of the reserve over both servers, and warns once", async () => {
    expect(await sendOverCeiling([])).toEqual({ others: 32, ordered: 8, warnings: 1 });
  });

  it("sends more codes without the quota lock", async () => {
    expect(
      await failsOnce(async () => {
        const { others, ordered } = await sendOverCeiling(["code-quota"]);
        return others > 32 || others + ordered > 40;
      }),
    ).toBe(true);
  });
});
