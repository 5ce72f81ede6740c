import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres } from "../support/database.ts";
import { buyConcurrently } from "../support/load.ts";
import { stopServersAndRemoveFolders } from "../support/server-process.ts";
import { type TwoServers, twoServers } from "../support/two-servers.ts";

const buyers = 500;
const names = ["goods", "packages", "seats", "places"] as const;

describe.skipIf(!hasPostgres)(`${buyers} concurrent buyers at two servers on one PostgreSQL`, () => {
  let servers: TwoServers;
  beforeAll(async () => {
    servers = await twoServers();
  });
  afterAll(stopServersAndRemoveFolders);

  it.each(names.flatMap((name) => [1, 10, 100].map((last) => [name, last] as const)))(
    "do not oversell the last %s (%i left)",
    async (name, last) => {
      // Wuhan has 60 places in the seed.
      if (name === "places") await servers.query("update stops set capacity = 200 where stop = 'wuhan'");
      const figures = await buyConcurrently(servers, name, last, buyers);
      expect(figures).toEqual({ served: last, soldOut: buyers - last, other: 0, left: 0, taken: last });
    },
  );
});
