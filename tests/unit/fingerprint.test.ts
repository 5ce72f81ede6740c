import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fingerprint } from "../../scripts/fingerprint.ts";
import { demoFolder } from "../../scripts/shop.ts";

const goods = { goods_uid: "vinyl", title: "Vinyl", skus: [{ sku_uid: "a", pay_fen: 100, stock: 5 }], sold: 3 };
const activity = { activity_uid: "spring", capacity: 10, booked: 4, status: "open", my_status: null };

let catalogue: Record<string, unknown>;
let requests: string[] = [];
let server: Server;
let origin = "";

// A stub that implements the contract.
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers["accept-language"]}`);
    response.end(JSON.stringify({ code: 1, msg: "", data: catalogue[request.url ?? ""] ?? null }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  requests = [];
  catalogue = {
    "/v1/goods/allLists": { list: [goods] },
    "/v1/goods/info": { info: goods, postage: { fen: 1200, free_from_fen: 19900 } },
    "/v1/memberPackage/lists": { list: [{ uid: "pass", pay_fen: 500, stock: 7 }] },
    "/v1/activity/info": { list: [activity], server_time: "2026-01-01T00:00:00Z" },
    "/v1/booking/info": { campaign: { stops: [{ stop: "sh", places_left: 9 }] }, server_time: "2026-01-01T00:00:00Z" },
  };
});

describe("the build fingerprint", () => {
  it("requests the whole catalogue in both languages", async () => {
    await fingerprint(demoFolder, origin, "");
    expect(requests).toHaveLength(10);
    for (const path of Object.keys(catalogue)) {
      for (const locale of ["zh-CN", "en-US"])
        expect(requests.some((one) => one.includes(path) && one.endsWith(locale))).toBe(true);
    }
  });

  it.each<[string, Record<string, unknown>]>([
    ["stock and sales", { "/v1/goods/allLists": { list: [{ ...goods, sold: 4, skus: [{ ...goods.skus[0], stock: 0 }] }] } }],
    [
      "booked seats and statuses",
      { "/v1/activity/info": { list: [{ ...activity, booked: 10, status: "full" }], server_time: "later" } },
    ],
    [
      "the places left at a stop",
      { "/v1/booking/info": { campaign: { stops: [{ stop: "sh", places_left: 0 }] }, server_time: "later" } },
    ],
  ])("does not change with %s", async (_, change) => {
    const before = await fingerprint(demoFolder, origin, "");
    Object.assign(catalogue, change);
    expect(await fingerprint(demoFolder, origin, "")).toBe(before);
  });

  it.each<[string, Record<string, unknown>]>([
    ["a title", { "/v1/goods/allLists": { list: [{ ...goods, title: "LP" }] } }],
    ["a price", { "/v1/memberPackage/lists": { list: [{ uid: "pass", pay_fen: 400, stock: 7 }] } }],
    ["postage", { "/v1/goods/info": { info: goods, postage: { fen: 0, free_from_fen: 0 } } }],
    ["a stop", { "/v1/booking/info": { campaign: { stops: [] } } }],
  ])("changes with %s", async (_, change) => {
    const before = await fingerprint(demoFolder, origin, "");
    Object.assign(catalogue, change);
    expect(await fingerprint(demoFolder, origin, "")).not.toBe(before);
  });

  it("changes with what is published", async () => {
    expect(await fingerprint(demoFolder, origin, "a,b")).not.toBe(await fingerprint(demoFolder, origin, "a"));
  });

  it("changes with PUBLIC_ variables and with the presence of a server", async () => {
    const before = await fingerprint(demoFolder, origin, "");
    process.env.PUBLIC_MADE_UP = "1";
    const after = await fingerprint(demoFolder, origin, "");
    delete process.env.PUBLIC_MADE_UP;
    expect(after).not.toBe(before);
    expect(await fingerprint(demoFolder, "", "")).not.toBe(before);
    expect(await fingerprint(demoFolder, origin, "")).toBe(before);
  });
});
