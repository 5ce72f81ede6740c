// @module-tag full
import { Client } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { contract } from "../../src/api/contract.ts";
import { clientAt } from "../support/client/client.ts";
import { hasPostgres } from "../support/database/database.ts";
import { stopServersAndRemoveFolders } from "../support/processes/server-process.ts";
import { newMobile } from "../support/processes/test-server.ts";
import { twoServers } from "../support/races/two-servers.ts";

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

describe.skipIf(!hasPostgres)("the rate limit of login codes at two servers", () => {
  afterEach(stopServersAndRemoveFolders);

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

  it("sends exactly CODES_PER_HOUR_HOST codes over both servers", async () => {
    const { origin, number } = await twoServers([], { CODES_PER_HOUR_HOST: "40", CODES_PER_HOUR_PER_IP: "1000" });
    const responses = await Promise.all(
      Array.from({ length: 120 }, (_, n) => clientAt(origin(n)).send(contract.sendCode, { username: newMobile() })),
    );
    expect(responses.filter(({ code }) => code === 1)).toHaveLength(40);
    expect(responses.filter(({ code }) => code === 10004)).toHaveLength(80);
    expect(await number("select count(*) from send_log")).toBe(40);
  });
});
