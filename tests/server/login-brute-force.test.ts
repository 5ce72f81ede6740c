import { describe, expect, it } from "vitest";
import { guessCodes, requestCodesFrom } from "../support/brute-force.ts";
import { engines } from "../support/database.ts";
import { createTestServer } from "../support/test-server.ts";

describe.each(engines)("brute force on login codes on %s", (engine) => {
  it("gets at most five guesses compared for each of ten codes a day", async () => {
    const server = await createTestServer(engine);
    const figures = await guessCodes(server, 1, 30);
    expect(figures).toEqual({ codes: 10, guesses: 300, compared: 50, codeCounts: { 20001: 50, 20003: 250 } });
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
