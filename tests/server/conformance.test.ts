import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { conform, type Report } from "../../scripts/conformance/run.ts";
import { table } from "../../src/api/table.ts";
import { faults } from "../support/contract-faults.ts";
import { type Engine, engines } from "../support/database.ts";
import { type Fault, type FaultyProxy, startFaultyProxy } from "../support/faulty-proxy.ts";
import { createTestServer, newMobile } from "../support/test-server.ts";

const site = "https://site.example";
const env = { SITE_ORIGINS: site, CODES_PER_HOUR_PER_IP: "1000", CODES_PER_HOUR_HOST: "1000" };
let open: FaultyProxy | undefined;
afterEach(() => open?.close());

/** The report on the real host behind a proxy with one fault. */
async function reportOn(engine: Engine, fault: Fault, untilFailed: boolean): Promise<Report> {
  open = await startFaultyProxy(await createTestServer(engine, { env }), fault);
  const numbers = [newMobile(), newMobile(), "13800138001"];
  return conform({ origin: open.origin, codes: open.codes, numbers, siteOrigin: site, untilFailed });
}

const inState = ({ rows }: Report, state: string) => rows.filter(({ outcome }) => outcome.state === state);

describe.each(engines)("conformance on %s", (engine) => {
  let sound: Report;
  beforeAll(async () => {
    sound = await reportOn(engine, (asked, next) => next(asked), false);
  });

  it("finds nothing broken at a host that keeps the contract, and tries all but what takes time", () => {
    expect(inState(sound, "failed")).toEqual([]);
    const never = inState(sound, "skipped").filter(({ group }) => group === "types");
    expect(
      never.map(({ title }) => title),
      "call each of these in a check of scripts/conformance/",
    ).toEqual([]);
    expect(inState(sound, "skipped").map(({ group, title }) => `${group}: ${title}`)).toEqual([
      "bookings: out of its time it is 50003",
      ...sound.rows.filter(({ group }) => group === "time and faults").map(({ group, title }) => `${group}: ${title}`),
    ]);
    expect(sound.rows.filter(({ group }) => group === "types")).toHaveLength(Object.keys(table).length);
  });

  it("says what it leaves behind", () => {
    expect(sound.left.map((one) => one.split(" ").slice(0, 3).join(" "))).toEqual([
      ...["the member 139****", "the member 139****", "the member 138****"].map((one) => expect.stringContaining(one)),
      ...["an unpaid order,", "an unpaid order,", "an unpaid order,", "a booking of", "a seat at"],
    ]);
  });
});

describe("conformance behind a proxy that breaks one thing", () => {
  it("is tried on 20 faults and more", () => {
    expect(Object.keys(faults).length).toBeGreaterThanOrEqual(20);
  });

  it.each(Object.entries(faults))("catches %s", async (_name, [row, make]) => {
    const [first] = inState(await reportOn("PGlite", make(), true), "failed");
    expect(first?.title).toMatch(new RegExp(`^(${row})`));
  });
});
