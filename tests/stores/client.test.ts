import { beforeEach, describe, expect, it } from "vitest";
import { activityInfo } from "../../src/api/activity.ts";
import { goodsInfo } from "../../src/api/goods.ts";
import { offline, openPage } from "../support/client/browser.ts";
import { createTestServer, type TestServer } from "../support/processes/test-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
});

async function open() {
  const page = openPage("/en-US/mall", server);
  return { page, ...(await import("../../src/api/client.ts")) };
}

describe("prefetching a call", () => {
  it("reuses the prefetched response once, then sends the call again", async () => {
    const { page, prefetch, send } = await open();
    const early = prefetch(activityInfo);
    expect(await send(activityInfo)).toBe(await early);
    expect(page.requests).toHaveLength(1);
    await send(activityInfo);
    expect(page.requests).toHaveLength(2);
  });

  it("does not reuse a response for other parameters or another member", async () => {
    const { page, prefetch, send, $token } = await open();
    await prefetch(goodsInfo, { goods_uid: "vinyl" });
    expect((await send(goodsInfo, { goods_uid: "tote" })).info.goods_uid).toBe("tote");
    $token.set("somebody-else");
    await send(goodsInfo, { goods_uid: "vinyl" }).catch(() => {});
    expect(page.requests).toHaveLength(3);
  });

  it("passes a network failure of the prefetch on to the next send only", async () => {
    const { page, prefetch, send } = await open();
    const line = page.network;
    page.network = offline;
    await expect(prefetch(activityInfo)).rejects.toMatchObject({ reason: "offline" });
    page.network = line;
    await expect(send(activityInfo)).rejects.toMatchObject({ reason: "offline" });
    expect((await send(activityInfo)).list.length).toBeGreaterThan(0);
  });
});
