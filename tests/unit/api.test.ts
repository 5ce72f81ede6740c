import fc from "fast-check";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { activityInfo } from "../../src/api/activity.ts";
import { bookingCampaign } from "../../src/api/booking.ts";
import { text } from "../../src/api/call.ts";
import { fetchAtBuild } from "../../src/api/fetch-at-build.ts";
import { goodsInfo } from "../../src/api/goods.ts";
import { serve } from "../support/content/site.ts";

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

describe("fetchAtBuild", () => {
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
