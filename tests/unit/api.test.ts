import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import * as v from "valibot";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { fingerprint } from "#scripts/fingerprint.ts";
import { demoFolder } from "#scripts/shop-paths.ts";
import { activityInfo } from "#src/api/activity.ts";
import { bookingCampaign } from "#src/api/booking.ts";
import { text } from "#src/api/call.ts";
import { fetchAtBuild } from "#src/api/fetch-at-build.ts";
import { goodsInfo } from "#src/api/goods.ts";
import { serve } from "#tests/support/content/site.ts";

describe("a text field", () => {
  it.each([
    ["  a  ", "a"],
    ["a  b", "a  b"],
    ["a\nb", "a b"],
    ["a \r\n \t b", "a b"],
    ["a\u3000\u3000b", "a\u3000\u3000b"],
    ["a\u3000\nb", "a b"],
  ])("parses %j as %j", (typed, read) => {
    expect(v.parse(text(1, 20), typed)).toBe(read);
  });

  it("collapses white space around line breaks like the regular expression", () => {
    const sign = fc.constantFrom(" ", "\t", "\n", "\r", "\u3000", "\u2028", "a", "甲", "-");
    fc.assert(
      fc.property(fc.string({ unit: sign, maxLength: 40 }), (typed) => {
        expect(v.parse(text(0, 40), typed)).toBe(typed.trim().replace(/\s*[\n\r\t]\s*/g, " "));
      }),
      { numRuns: 2000 },
    );
  });

  it("rejects more than 1,000 characters before trimming", () => {
    expect(v.safeParse(text(1, 20), `a${" ".repeat(999)}`).success).toBe(true);
    expect(v.safeParse(text(1, 20), `a${" ".repeat(1000)}`).issues?.[0]?.message).toBe("tooLong");
  });
});

describe("fetchAtBuild", () => {
  let respond = () => new Response();
  let server: { origin: string; close(): void };
  beforeEach(async () => {
    server = await serve(() => respond());
    vi.stubEnv("BUILD_API_ORIGIN", server.origin);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    server.close();
  });

  const fetchActivities = () => fetchAtBuild(activityInfo, {}, "en-US");
  const json = (code: number, msg: string, data: unknown = null, status = 200) =>
    new Response(JSON.stringify({ code, msg, data }), { status });

  it("returns the data of the response", async () => {
    respond = () => json(1, "", { list: [], server_time: "2026-01-01T00:00:00.000Z" });
    expect(await fetchActivities()).toEqual({ list: [], server_time: "2026-01-01T00:00:00.000Z" });
  });

  it("returns null for code 10003", async () => {
    respond = () => json(10003, "Not found");
    expect(await fetchAtBuild(goodsInfo, { goods_uid: "x" }, "en-US")).toBeNull();
  });

  it("returns null for an extension that the server lacks, and rejects for any other call that it lacks", async () => {
    respond = () => new Response("Not found", { status: 404 });
    expect(await fetchAtBuild(bookingCampaign, { campaign: "autumn" }, "en-US")).toBeNull();
    await expect(fetchActivities()).rejects.toThrow("returns HTTP 404");
  });

  it("is sent again in a build when the server has closed the connection meanwhile, once", async () => {
    vi.stubEnv("DEV", false);
    let broken = 1;
    let requests = 0;
    const closing = createServer((request, response) => {
      requests += 1;
      if (requests <= broken) request.socket.destroy();
      else response.end(JSON.stringify({ code: 10003, msg: "", data: null }));
    }).listen(0, "127.0.0.1");
    await once(closing, "listening");
    const { port } = closing.address() as AddressInfo;
    vi.stubEnv("BUILD_API_ORIGIN", `http://127.0.0.1:${port}`);
    expect(await fetchAtBuild(goodsInfo, { goods_uid: "first" }, "en-US")).toBeNull();
    [broken, requests] = [2, 0];
    await expect(fetchAtBuild(goodsInfo, { goods_uid: "second" }, "en-US")).rejects.toThrow("does not respond to POST");
    expect(requests).toBe(2);
    closing.close();
  });

  it("returns undefined without a server", async () => {
    vi.stubEnv("BUILD_API_ORIGIN", "");
    expect(await fetchActivities()).toBeUndefined();
  });

  it.each([
    [
      "another error code",
      () => json(10500, "Broken on our side", null, 500),
      "returns code 10500 for GET /v1/activity/info: Broken on our side",
    ],
    [
      "a page",
      () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
      "returns HTTP 502 without an envelope for GET /v1/activity/info: <h1>Bad gateway</h1>",
    ],
    [
      "data of another shape",
      () => json(1, "", { list: [{}] }),
      "breaks the contract in GET /v1/activity/info: list.0.activity_uid: ",
    ],
  ])("rejects with the call and the response after %s", async (_, make, message) => {
    respond = make;
    await expect(fetchActivities()).rejects.toThrow(`The API server at ${server.origin} ${message}`);
  });
});

describe("the build fingerprint", () => {
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

  it("requests the whole catalogue in both languages", async () => {
    await fingerprint(demoFolder, origin, 0);
    expect(requests).toHaveLength(10);
    for (const path of Object.keys(catalogue)) {
      for (const locale of ["zh-CN", "en-US"])
        expect(requests.some((one) => one.includes(path) && one.endsWith(locale))).toBe(true);
    }
  });

  it.each<[string, Record<string, unknown>]>([
    ["stock and sales", { "/v1/goods/allLists": { list: [{ ...goods, sold: 4, skus: [{ ...goods.skus[0], stock: 4 }] }] } }],
    [
      "booked seats and statuses",
      { "/v1/activity/info": { list: [{ ...activity, booked: 9, status: "not_open" }], server_time: "later" } },
    ],
    [
      "the places left at a stop",
      { "/v1/booking/info": { campaign: { stops: [{ stop: "sh", places_left: 0 }] }, server_time: "later" } },
    ],
  ])("does not change with %s", async (_, change) => {
    const before = await fingerprint(demoFolder, origin, 0);
    Object.assign(catalogue, change);
    expect(await fingerprint(demoFolder, origin, 0)).toBe(before);
  });

  it.each<[string, Record<string, unknown>]>([
    ["a title", { "/v1/goods/allLists": { list: [{ ...goods, title: "LP" }] } }],
    ["a price", { "/v1/memberPackage/lists": { list: [{ uid: "pass", pay_fen: 400, stock: 7 }] } }],
    ["postage", { "/v1/goods/info": { info: goods, postage: { fen: 0, free_from_fen: 0 } } }],
    ["the last piece", { "/v1/goods/allLists": { list: [{ ...goods, skus: [{ ...goods.skus[0], stock: 0 }] }] } }],
    ["the last seat", { "/v1/activity/info": { list: [{ ...activity, status: "full" }] } }],
    ["a stop", { "/v1/booking/info": { campaign: { stops: [] } } }],
  ])("changes with %s", async (_, change) => {
    const before = await fingerprint(demoFolder, origin, 0);
    Object.assign(catalogue, change);
    expect(await fingerprint(demoFolder, origin, 0)).not.toBe(before);
  });

  it("changes when time changes a page", async () => {
    expect(await fingerprint(demoFolder, origin, 1)).not.toBe(await fingerprint(demoFolder, origin, 0));
  });

  it("changes with PUBLIC_ variables, with PORT and with the presence of a server", async () => {
    const before = await fingerprint(demoFolder, origin, 0);
    for (const name of ["PUBLIC_MADE_UP", "PORT"]) {
      process.env[name] = "1";
      const after = await fingerprint(demoFolder, origin, 0);
      delete process.env[name];
      expect(after).not.toBe(before);
    }
    expect(await fingerprint(demoFolder, "", 0)).not.toBe(before);
    expect(await fingerprint(demoFolder, origin, 0)).toBe(before);
  });
});
