import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { conform, type Report } from "../../scripts/conformance/run.ts";
import { contract } from "../../src/api/contract.ts";
import { contractFaults } from "../support/contract/contract-faults.ts";
import { describeOnEngines, type Engine } from "../support/database/database.ts";
import { type Fault, type FaultyProxy, startFaultyProxy } from "../support/hosting/faulty-proxy.ts";
import { createTestServer, newMobile } from "../support/processes/test-server.ts";

const site = "https://site.example";
const env = { SITE_ORIGINS: site, CODES_PER_HOUR_PER_IP: "1000", CODES_PER_HOUR_HOST: "1000" };
let proxy: FaultyProxy | undefined;
afterEach(() => proxy?.close());

/** Runs the suite against the reference server behind a proxy with one fault. */
async function runConformance(engine: Engine, fault: Fault, failFast: boolean): Promise<Report> {
  proxy = await startFaultyProxy(await createTestServer(engine, { env }), fault);
  const numbers = [newMobile(), newMobile(), "13800138001"];
  return conform({ origin: proxy.origin, codes: proxy.codes, numbers, siteOrigin: site, failFast });
}

const filterByState = ({ rows }: Report, state: string) => rows.filter(({ outcome }) => outcome.state === state);

describeOnEngines("the conformance suite on %s", (engine) => {
  let report: Report;
  beforeAll(async () => {
    report = await runConformance(engine, (request, next) => next(request), false);
  });

  it("finds no violation in the reference server and skips only the checks that take time", () => {
    expect(filterByState(report, "failed")).toEqual([]);
    const skippedTypes = filterByState(report, "skipped").filter(({ group }) => group === "types");
    expect(
      skippedTypes.map(({ title }) => title),
      "call each of these in a check of scripts/conformance/",
    ).toEqual([]);
    expect(filterByState(report, "skipped").map(({ group, title }) => `${group}: ${title}`)).toEqual([
      "bookings: booking outside of its time returns 50003",
      ...report.rows.filter(({ group }) => group === "time and faults").map(({ group, title }) => `${group}: ${title}`),
    ]);
    expect(report.rows.filter(({ group }) => group === "types")).toHaveLength(Object.keys(contract).length);
  });

  it("accepts a server without extensions", { tags: ["full"] }, async () => {
    const { path } = contract.bookingCampaign;
    const text = JSON.stringify({ code: 10003, msg: "Not found", data: null });
    const lacking = await runConformance(
      engine,
      async (request, next) => {
        const response = await next(request);
        return request.path === path ? { ...response, status: 404, text } : response;
      },
      false,
    );
    expect(filterByState(lacking, "failed")).toEqual([]);
    expect(filterByState(lacking, "skipped").map(({ title }) => title)).toContain(`POST ${path}`);
  });

  it("reports the data that it leaves behind", () => {
    expect(report.leftovers.map((leftover) => leftover.split(" ").slice(0, 3).join(" "))).toEqual([
      ...["the member 139****", "the member 139****", "the member 138****"].map((start) => expect.stringContaining(start)),
      "an unpaid order,",
      "an unpaid order,",
      "an unpaid order,",
      "a booking of",
      "a seat at",
    ]);
  });
});

describe("the conformance suite against a faulty server", { tags: ["full"] }, () => {
  it("is tested with at least 20 faults", () => {
    expect(Object.keys(contractFaults).length).toBeGreaterThanOrEqual(20);
  });

  it.each(Object.entries(contractFaults))("detects %s", async (_name, [check, createFault]) => {
    const [first] = filterByState(await runConformance("PGlite", createFault(), true), "failed");
    expect(first?.title).toMatch(new RegExp(`^(${check})`));
  });
});
