import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";
import { type FaultyProxy, startFaultyProxy } from "#tests/support/hosting/faulty-proxy.ts";
import { createTestServer } from "#tests/support/processes/test-server.ts";
import { subjects } from "./checks.ts";
import { CheckSkipped, createRun, listUntested, type Options, type Run } from "./run.ts";
import { createOptions, readOptions, referenceEnv } from "./target.ts";

/** Defines a test for each check. The reference server may skip none. */
function defineChecks(getRun: () => Run, isReference: boolean): void {
  for (const [subject, checks] of Object.entries(subjects)) {
    describe(subject, () => {
      it.for(Object.entries(checks))("%s", async ([, check], { skip }) => {
        await check(getRun()).catch((error: unknown) => {
          if (error instanceof CheckSkipped && !isReference) skip(error.message);
          throw error;
        });
      });
    });
  }

  it("every call has answered with success", ({ skip }) => {
    const untested = listUntested(getRun());
    if (!isReference && untested.length > 0) skip(`some never did here: ${untested.join(", ")}`);
    expect(untested, "call each of these in a check").toEqual([]);
  });
}

function printLeftovers({ visitor, members, leftovers }: Run): void {
  const present = Object.values(members).filter((member) => member !== undefined);
  const lines = [
    ...present.map(({ info, isLoggedOut }) => `the member ${info.mobile_masked}${isLoggedOut ? "" : ", with a session"}`),
    ...leftovers,
  ];
  console.log([`${visitor.responses.length} requests. Left on the server:`, ...lines.map((line) => `  ${line}`)].join("\n"));
}

function describeServer(name: string, options: Options): void {
  describe(name, () => {
    const run = createRun(options);
    afterAll(() => printLeftovers(run));
    defineChecks(() => run, false);
  });
}

function describeReferenceServer(engine: Engine): void {
  let proxy: FaultyProxy;
  let run: Run;
  beforeAll(async () => {
    proxy = await startFaultyProxy(await createTestServer(engine, { env: referenceEnv }), (request, next) => next(request));
    run = createRun(createOptions(proxy));
  });
  afterAll(() => proxy.close());
  defineChecks(() => run, true);
}

// `npm run conformance -- <origin>` names a server; without one, ours is tested on both databases.
const options = readOptions();
if (options) describeServer(`the contract at ${options.origin}`, options);
else describeOnEngines("the contract on %s", describeReferenceServer);
