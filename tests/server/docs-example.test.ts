import * as v from "valibot";
import { afterEach, expect, it, vi } from "vitest";
import { examplesFile } from "../../server/docs/examples.ts";
import type { Call } from "../../src/api/call.ts";
import { contract } from "../../src/api/contract.ts";
import { recordExamples } from "../support/contract/examples.ts";
import { databaseSeededAt, describeOnEngines, type engines } from "../support/database/database.ts";
import { createTestServer } from "../support/processes/test-server.ts";

// Update with `npx vitest run --project server tests/server/docs-example.test.ts -u`.
afterEach(() => vi.useRealTimers());

/** Records the examples at a server with a fixed clock. */
async function recorded(engine: (typeof engines)[number]) {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-02T10:00:00+08:00") });
  const createServer = async () => createTestServer(engine, { db: await databaseSeededAt(engine, new Date()) });
  const chinese = await recordExamples(await createServer(), "zh-CN");
  const english = await recordExamples(await createServer(), "en-US");
  return Object.fromEntries(Object.keys(chinese).map((name) => [name, { "zh-CN": chinese[name], "en-US": english[name] }]));
}

describeOnEngines("the examples of the API documentation on %s", (engine) => {
  it("match the server's responses", async () => {
    const examples = await recorded(engine);
    expect(Object.keys(examples)).toEqual(Object.keys(contract));
    for (const [name, call] of Object.entries<Call>(contract)) {
      for (const example of Object.values(examples[name] ?? {})) {
        expect(v.safeParse(call.payload, example?.payload).issues, name).toBeUndefined();
        expect(v.safeParse(call.data, example?.answer.data).issues, name).toBeUndefined();
      }
    }
    await expect(`${JSON.stringify(examples, null, 2)}\n`).toMatchFileSnapshot(examplesFile);
  });
});
