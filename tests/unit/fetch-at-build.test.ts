import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { activityInfo } from "../../src/api/activity.ts";
import { bookingCampaign } from "../../src/api/booking.ts";
import { fetchAtBuild } from "../../src/api/fetch-at-build.ts";
import { goodsInfo } from "../../src/api/goods.ts";
import { serve } from "../support/content/site.ts";

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
