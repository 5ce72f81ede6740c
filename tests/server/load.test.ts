// @module-tag full
// @module-tag long
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fuzzAll } from "../support/contract/fuzz.ts";
import { hasPostgres } from "../support/database/database.ts";
import { stopServersAndRemoveFolders } from "../support/processes/server-process.ts";
import { factor } from "../support/races/factor.ts";
import { buyConcurrently, dropConstraint, scarceResources } from "../support/races/load.ts";
import { failsOnce, type TwoServers, twoServers } from "../support/races/two-servers.ts";

const buyers = 50 * factor;
const names = ["goods", "packages", "seats", "places"] as const;
describe.skipIf(!hasPostgres)(`${buyers} concurrent buyers at two servers on one PostgreSQL`, () => {
  let servers: TwoServers;
  beforeAll(async () => {
    servers = await twoServers();
  });
  afterEach(() => servers.checkLedger());
  afterAll(stopServersAndRemoveFolders);

  it.each(names.flatMap((name) => [1, 10, 5 * factor].map((last) => [name, last] as const)))(
    "do not oversell the last %s (%i left)",
    async (name, last) => {
      // Wuhan has 60 places in the seed.
      if (name === "places") await servers.query(`update stops set capacity = ${buyers + 100} where stop = 'wuhan'`);
      expect(await buyConcurrently(servers, name, last, buyers)).toEqual({
        served: last,
        soldOut: buyers - last,
        other: 0,
        left: 0,
        taken: last,
      });
    },
  );
});

describe.skipIf(!hasPostgres)("concurrent buyers without the guarding clause", () => {
  let servers: TwoServers;
  beforeAll(async () => {
    // Each resource has its own guard.
    servers = await twoServers(["stock-enough", "seats-enough", "places-enough"]);
  });
  afterAll(stopServersAndRemoveFolders);

  it("get an error from the database constraint instead of overselling", async () => {
    const isRefused = async () => {
      const { served, other, left, taken } = await buyConcurrently(servers, "goods", 10, buyers);
      expect([served, left, taken]).toEqual([10, 0, 10]);
      return other > 0;
    };
    expect(await failsOnce(isRefused)).toBe(true);
  });

  it.each(names)("oversell %s when the database constraint is dropped too", async (name) => {
    await dropConstraint(servers, scarceResources[name].constraint);
    const isOversold = async () => {
      const { served, left, taken } = await buyConcurrently(servers, name, 10, buyers);
      expect([left, taken]).toEqual([10 - served, served]);
      return served > 10;
    };
    expect(await failsOnce(isOversold)).toBe(true);
  });
});

fuzzAll(100 * factor);
