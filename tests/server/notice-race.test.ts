// @module-tag full
// @module-tag long

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres } from "../support/database/database.ts";
import { stopServersAndRemoveFolders } from "../support/processes/server-process.ts";
import { factor } from "../support/races/factor.ts";
import { dropConstraint, sendShuffledNotices } from "../support/races/load.ts";
import { failsOnce, twoServers } from "../support/races/two-servers.ts";
import { startWechat, type WechatStub } from "../support/stubs/wechat.ts";

describe.skipIf(!hasPostgres)("shuffled, duplicate and forged payment notices at two servers", () => {
  let wechat: WechatStub;
  beforeAll(async () => {
    wechat = await startWechat();
  });
  afterAll(async () => {
    await wechat.close();
    await stopServersAndRemoveFolders();
  });

  it("pay each order once", async () => {
    const servers = await twoServers([], wechat.env);
    const size = 40 * factor;
    const figures = await sendShuffledNotices(servers, wechat, size, 10);
    expect(figures).toEqual({ unexpected: 0, paid: size, payments: size, sold: size });
    await servers.checkLedger();
  });

  it("pay an order several times without the guarding clause", async () => {
    const servers = await twoServers(["pay-pending"], wechat.env);
    for (const name of ["payments_pkey", "payments_transaction_id_unique"]) await dropConstraint(servers, ["payments", name]);
    const runRace = async () => {
      const { sold, payments } = await sendShuffledNotices(servers, wechat, 20, 10);
      return sold > 20 && payments > 20;
    };
    expect(await failsOnce(runRace)).toBe(true);
  });
});
