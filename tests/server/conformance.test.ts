import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import getPort from "get-port";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { conform, type Report } from "../../scripts/conformance.ts";
import { contract } from "../../src/api/contract.ts";
import { contractFaults } from "../support/contract/contract-faults.ts";
import { describeOnEngines, type Engine } from "../support/database/database.ts";
import { type Fault, type FaultyProxy, startFaultyProxy } from "../support/hosting/faulty-proxy.ts";
import { newFolder, startServer, stopServersAndRemoveFolders } from "../support/processes/child-process.ts";
import { createTestServer, newMobile } from "../support/processes/test-server.ts";
import { startStubBackend } from "../support/stubs/concert-backend.ts";

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

  it("accepts a server without extensions and optional fields", { tags: ["full"] }, async () => {
    const { path } = contract.bookingCampaign;
    const notFound = JSON.stringify({ code: 10003, msg: "Not found", data: null });
    const fields = ["early", "my_opens_at", "at_the_door"];
    const ownFields = {
      "/activity/": ["actions"],
      "/booking/": ["actions", "check_in_code"],
      "/memberPackage/": ["images"],
    };
    const older = await runConformance(
      engine,
      async (request, next) => {
        if (request.path === path || request.path === contract.logout.path)
          return { ...(await next(request)), status: 404, text: notFound };
        const response = await next(request);
        const own = Object.entries(ownFields).flatMap(([part, names]) => (request.path.includes(part) ? names : []));
        const text =
          response.text &&
          JSON.stringify(
            JSON.parse(response.text, (key, value) => (key !== "" && [...fields, ...own].includes(key) ? undefined : value)),
          );
        return { ...response, text };
      },
      false,
    );
    expect(filterByState(older, "failed")).toEqual([]);
    const titles = (one: Report) => filterByState(one, "skipped").map(({ title }) => title);
    expect(titles(older).filter((title) => !titles(report).includes(title))).toEqual([
      ...["for one campaign returns the same", "withdraws a booking", "gives a seat back", "ends the session"].map((start) =>
        expect.stringMatching(`^the extension ${start}`),
      ),
      `POST ${path}`,
      `POST ${contract.activityCancel.path}`,
      `POST ${contract.bookingCancel.path}`,
      `POST ${contract.logout.path}`,
    ]);
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

async function run(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["scripts/conformance.ts", ...args], { env: { PATH: process.env.PATH, ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [status] = await once(child, "close");
  return { status, output };
}

describe("npm run conformance", { tags: ["full"] }, () => {
  afterEach(stopServersAndRemoveFolders);

  it("passes against a server with default settings, rate limits included", async () => {
    const folder = newFolder("seeded");
    const { origin } = await startServer({ DATA_DIR: folder, FLOOD_PER_MINUTE: "" });
    const { status, output } = await run([origin], { DATA_DIR: folder });
    expect(output).toMatch(/\n\d{3} passed, 0 failed, 8 skipped; \d+ requests\n$/);
    expect(output).toContain("Left on the server:\n  the member 199****");
    expect(status).toBe(0);
  });

  it("reads login codes from --code-command for the members given by --member", async () => {
    const folder = newFolder("seeded");
    const { origin } = await startServer({ DATA_DIR: folder });
    const last = `tail -n 1 ${join(folder, "outbox.jsonl")} | grep "$MOBILE" | sed 's/.*"code":"//'`;
    const members = ["--member", "13800138000", "--member", "13900000002"];
    const { status, output } = await run([origin, ...members, "--code-command", last]);
    expect(output).toContain("there is no third number (--member)");
    expect(output).toContain("the member 138****8000, with a session");
    expect({ status, broken: /^ {2}failed/m.test(output) }).toEqual({ status: 0, broken: false });
  });

  it("exits with 1 when the server violates the contract, and with 2 when it cannot start", async () => {
    const other = await startStubBackend((_request, response) => response.end("<h1>Hello</h1>"));
    const broken = await run([other.origin, "--member", "13900000001", "--fail-fast"]);
    await other.close();
    expect(broken.output).toMatch(/failed {3}an unknown path returns 404 with 10003/);
    expect(broken.status).toBe(1);
    const none = await run([`http://127.0.0.1:${await getPort()}`]);
    expect(none).toMatchObject({ status: 2, output: expect.stringContaining("is not reachable") });
    expect(await run([])).toMatchObject({ status: 2, output: expect.stringContaining("npm run conformance -- <origin>") });
  });
});
