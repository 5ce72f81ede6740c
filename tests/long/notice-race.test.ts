import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres } from "../support/database.ts";
import { sendShuffledNotices } from "../support/notices.ts";
import { stopServersAndRemoveFolders } from "../support/server-process.ts";
import { twoServers } from "../support/two-servers.ts";
import { startWechat, type WechatStub } from "../support/wechat.ts";

describe.skipIf(!hasPostgres)("2,000 shuffled, duplicate and forged notices of 200 payments at two servers", () => {
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
    expect(await sendShuffledNotices(servers, wechat, 200, 10)).toEqual({ unexpected: 0, paid: 200, payments: 200, sold: 200 });
  });
});
