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
async function reportOn(engine: Engine, fault: Fault, untilBroken: boolean): Promise<Report> {
  open = await startFaultyProxy(await createTestServer(engine, { env }), fault);
  const numbers = [newMobile(), newMobile(), "13800138001"];
  return conform({ origin: open.origin, codes: open.codes, numbers, siteOrigin: site, untilBroken });
}

const inState = ({ rows }: Report, state: string) => rows.filter(({ outcome }) => outcome.state === state);

describe.each(engines)("the conformance suite on %s", (engine) => {
  let sound: Report;
  beforeAll(async () => {
    sound = await reportOn(engine, (asked, next) => next(asked), false);
  });

  it("finds no violation in the reference server and skips only the checks that take time", () => {
    expect(inState(sound, "broken")).toEqual([]);
    const never = inState(sound, "not tried").filter(({ group }) => group === "types");
    expect(
      never.map(({ says }) => says),
      "call each of these in a check of scripts/conformance/",
    ).toEqual([]);
    expect(inState(sound, "not tried").map(({ group, says }) => `${group}: ${says}`)).toEqual([
      "bookings: out of its time it is 50003",
      ...sound.rows.filter(({ group }) => group === "time and faults").map(({ group, says }) => `${group}: ${says}`),
    ]);
    expect(sound.rows.filter(({ group }) => group === "types")).toHaveLength(Object.keys(table).length);
  });

  it("reports the data that it leaves behind", () => {
    expect(sound.left.map((one) => one.split(" ").slice(0, 3).join(" "))).toEqual([
      ...["the member 139****", "the member 139****", "the member 138****"].map((one) => expect.stringContaining(one)),
      ...["an unpaid order,", "an unpaid order,", "an unpaid order,", "a booking of", "a seat at"],
    ]);
  });
});

describe("the conformance suite against a faulty server", () => {
  it("is tested with at least 20 faults", () => {
    expect(Object.keys(faults).length).toBeGreaterThanOrEqual(20);
  });

  it.each(Object.entries(faults))("detects %s", async (_name, [row, make]) => {
    const [first] = inState(await reportOn("PGlite", make(), true), "broken");
    expect(first?.says).toMatch(new RegExp(`^(${row})`));
  });
});
