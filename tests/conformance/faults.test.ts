import { join } from "node:path";
import getPort from "get-port";
import { afterEach, describe, expect, it } from "vitest";
import { contract } from "#src/api/contract.ts";
import { type Fault, type FaultyProxy, startFaultyProxy } from "#tests/support/hosting/faulty-proxy.ts";
import { newFolder, runScript, startServer } from "#tests/support/processes/child-process.ts";
import { createTestServer } from "#tests/support/processes/test-server.ts";
import { startStubBackend } from "#tests/support/stubs/concert-backend.ts";
import { subjects } from "./checks.ts";
import { CheckSkipped, createRun, listUntested } from "./run.ts";
import { createOptions, referenceEnv } from "./target.ts";

let proxy: FaultyProxy | undefined;
afterEach(() => proxy?.close());

/** Runs all checks against the reference server with a fault, until one fails. Returns its title, and those that were skipped. */
async function runChecks(fault: Fault) {
  proxy = await startFaultyProxy(await createTestServer("PGlite", { env: referenceEnv }), fault);
  const run = createRun(createOptions(proxy));
  const skipped: string[] = [];
  for (const [title, check] of Object.values(subjects).flatMap(Object.entries<(typeof subjects)[string][string]>)) {
    try {
      await check(run);
    } catch (error) {
      if (!(error instanceof CheckSkipped)) return { failed: `${title}: ${error}`, skipped, untested: listUntested(run) };
      skipped.push(title);
    }
  }
  return { failed: null, skipped, untested: listUntested(run) };
}

const notFound = JSON.stringify({ code: 10003, msg: "Not found", data: null });
/** Optional fields, by the part of the paths that they belong to. */
const optional = {
  "/v1/": ["early", "my_opens_at", "at_the_door", "ships_at"],
  "/activity/": ["actions"],
  "/booking/": ["actions", "check_in_code"],
  "/user/": ["actions"],
  "/memberPackage/": ["images"],
};

it("the conformance checks accept a server without extensions and optional fields", { tags: ["full"] }, async () => {
  const { bookingCampaign, activityCancel, bookingCancel, logout, userNickname } = contract;
  const { failed, skipped, untested } = await runChecks(async (request, next) => {
    const response = await next(request);
    if ([bookingCampaign.path, logout.path].some((path) => path === request.path))
      return { ...response, status: 404, text: notFound };
    const names = Object.entries(optional).flatMap(([part, names]) => (request.path.includes(part) ? names : []));
    const cut = (key: string, value: unknown) => (key !== "" && names.includes(key) ? undefined : value);
    return { ...response, text: response.text && JSON.stringify(JSON.parse(response.text, cut)) };
  });
  expect(failed).toBeNull();
  expect(skipped).toEqual(
    [
      "changes the nickname",
      "for one campaign returns the same",
      "withdraws a booking",
      "gives a seat back",
      "ends the session",
    ].map((start) => expect.stringMatching(`^the extension ${start}`)),
  );
  expect(untested.toSorted()).toEqual(
    [bookingCampaign, activityCancel, bookingCancel, logout, userNickname].map(({ path }) => path).toSorted(),
  );
});

describe("npm run conformance", { tags: ["full"] }, () => {
  async function run(args: string[], env: Record<string, string> = {}) {
    const script = runScript(["scripts/conformance.ts", ...args], { PATH: process.env.PATH, FORCE_COLOR: "0", ...env });
    return { status: await script.ended, printed: script.printed() };
  }

  it("passes against a server with default settings, rate limits included, and lists what it leaves there", async () => {
    const folder = newFolder("seeded");
    const { origin } = await startServer({ DATA_DIR: folder, FLOOD_PER_MINUTE: "" });
    const { status, printed } = await run([origin], { DATA_DIR: folder });
    expect(printed).toMatch(/Tests .*\d+ passed/);
    expect(printed).toMatch(/Left on the server:\n {2}the member 199\*\*\*\*\d{4}, with a session\n/);
    for (const leftover of ["an unpaid order,", "a booking of one place", "a seat at"])
      expect(printed).toContain(`  ${leftover}`);
    expect(status).toBe(0);
  });

  it("reads login codes from --code-command for the members given by --member", async () => {
    const folder = newFolder("seeded");
    const { origin } = await startServer({ DATA_DIR: folder });
    const last = `tail -n 1 ${join(folder, "outbox.jsonl")} | grep "$MOBILE" | sed 's/.*"code":"//'`;
    const members = ["--member", "13800138000", "--member", "13900000002"];
    const { status, printed } = await run([origin, ...members, "--code-command", last]);
    expect(printed).toContain("there is no number for this member (--member)");
    expect(printed).toContain("the member 138****8000, with a session");
    expect(status, printed).toBe(0);
  });

  it("exits with 1 when the server violates the contract, and with 2 when it cannot start", async () => {
    const other = await startStubBackend((_request, response) => response.end("<h1>Hello</h1>"));
    const broken = await run([other.origin, "--member", "13900000001", "--fail-fast"]);
    await other.close();
    expect(broken.printed).toMatch(/FAIL.*an unknown path returns 404 with 10003/);
    expect(broken.status).toBe(1);
    const none = await run([`http://127.0.0.1:${await getPort()}`]);
    expect(none).toMatchObject({ status: 2, printed: expect.stringContaining("is not reachable") });
    expect(await run([])).toMatchObject({ status: 2, printed: expect.stringContaining("npm run conformance -- <origin>") });
  });
});
