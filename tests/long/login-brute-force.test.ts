import { describe, expect, it } from "vitest";
import { guessCodes } from "../support/brute-force.ts";
import { hasPostgres } from "../support/database.ts";
import { createTestServer } from "../support/test-server.ts";

describe.skipIf(!hasPostgres)("a million guesses at login codes", () => {
  it("get at most five guesses compared for each of ten codes a day in twenty days", async () => {
    const server = await createTestServer("PostgreSQL");
    const figures = await guessCodes(server, 20, 5000);
    expect(figures).toEqual({ codes: 200, guesses: 1_000_000, compared: 1000, codeCounts: { 20001: 1000, 20003: 999_000 } });
  }, 1_800_000);
});
