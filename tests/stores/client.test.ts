import { beforeEach, describe, expect, it } from "vitest";
import { activityInfo } from "../../src/api/activity.ts";
import type { Call } from "../../src/api/call.ts";
import { contract } from "../../src/api/contract.ts";
import { goodsInfo } from "../../src/api/goods.ts";
import * as publicPaths from "../../src/api/paths.ts";
import { offline, openPage, respondWith, respondWithEnvelope } from "../support/client/browser.ts";
import { createTestServer, type TestServer } from "../support/processes/test-server.ts";
import { sources } from "../support/rules/sources.ts";

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

async function openPublic(stored: Record<string, string> = {}) {
  const page = openPage("/en-US", server, stored);
  return { page, ...(await import("../../src/api/fetch-public.ts")) };
}
const row = publicPaths.activityInfoPath;

describe("fetchPublic", () => {
  it("sends the headers of `send` and returns the data", async () => {
    const { page, fetchPublic, getList } = await openPublic();
    expect(getList(await fetchPublic(row), "list").length).toBeGreaterThan(0);
    const { headers } = page.requests[0] ?? {};
    expect(["device-type", "token", "accept-language"].map((name) => headers?.get(name))).toEqual(["web", "", "en-US"]);
  });

  it("sends the stored token", async () => {
    const { page, fetchPublic } = await openPublic({ TOKEN: "abc" });
    await fetchPublic(row).catch(() => {});
    expect(page.requests[0]?.headers.get("token")).toBe("abc");
  });

  it.each([
    ["no connection", offline],
    ["a refusal", respondWithEnvelope(10004)],
    ["another body", respondWith("<html>")],
    ["no envelope", respondWith("null")],
  ])("rejects after %s", async (_, network) => {
    const { page, fetchPublic } = await openPublic();
    page.network = network;
    await expect(fetchPublic(row)).rejects.toThrow();
  });

  it("getList returns a list field, otherwise an empty list; getField returns a field, otherwise undefined", async () => {
    const { getList, getField } = await openPublic();
    expect(getList({ list: [{ a: 1 }, null, "b"] }, "list")).toEqual([{ a: 1 }]);
    for (const data of [null, undefined, 1, "x", [], {}, { list: {} }]) expect(getList(data, "list")).toEqual([]);
    expect([getField({ a: 1 }, "a"), getField(null, "a")]).toEqual([1, undefined]);
  });
});

describe("the calls that reading pages send", () => {
  const rows = Object.values<Call>(contract).filter(({ access }) => access === "public");
  const paths = Object.values(publicPaths).filter((value) => typeof value === "object");

  it("are public calls of the contract", () => {
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) expect(rows).toContainEqual(expect.objectContaining(path));
  });

  it("take method and path from the contract", () => {
    const typed = sources().filter(({ path, text }) => path.startsWith("src/") && /fetchPublic\(\s*\{ method:/.test(text));
    expect(typed.map(({ path }) => path)).toEqual([]);
  });
});
