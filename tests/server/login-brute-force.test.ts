// @module-tag full
// @module-tag long

import { expect, it } from "vitest";
import { describeOnEngines } from "../support/database/database.ts";
import { createTestServer } from "../support/processes/test-server.ts";
import { guessCodes, requestCodesFrom } from "../support/races/brute-force.ts";
import { factor } from "../support/races/factor.ts";

describeOnEngines("brute force on login codes on %s", (engine) => {
  it("gets at most five guesses compared for each of ten codes a day", async () => {
    const server = await createTestServer(engine);
    const perCode = 30 * factor;
    const figures = await guessCodes(server, factor, perCode);
    const codes = 10 * factor;
    expect(figures).toEqual({
      codes,
      guesses: codes * perCode,
      compared: codes * 5,
      codeCounts: { 20001: codes * 5, 20003: codes * (perCode - 5) },
    });
  });

  it("gets at most five codes an hour for one number from a thousand addresses", async () => {
    expect(await requestCodesFrom(await createTestServer(engine), 1000)).toBe(5);
  });

  it("succeeds without the limit of tries", async () => {
    const server = await createTestServer(engine, { removedGuards: ["code-tries"] });
    const figures = await guessCodes(server, 1, 30);
    expect(figures.compared).toBe(300);
    expect(figures.codeCounts).toEqual({ 1: 10, 20001: 290 });
  });
});
