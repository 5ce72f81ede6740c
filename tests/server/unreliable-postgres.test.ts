// @module-tag full
import { Client } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { contract } from "../../src/api/contract.ts";
import { clientAt } from "../support/client/client.ts";
import { engines, newPostgres } from "../support/database/database.ts";
import {
  newFolder,
  spawnServer,
  startServer,
  stopServersAndRemoveFolders,
  withPostgres,
} from "../support/processes/server-process.ts";

afterEach(stopServersAndRemoveFolders);

describe.skipIf(!engines.includes("PostgreSQL"))("the server on an unreliable PostgreSQL", () => {
  it("recovers after its database connections are terminated", async () => {
    const url = await newPostgres();
    const server = await startServer(withPostgres(url, newFolder()));
    const fetchGoods = async () => (await clientAt(server.origin).send(contract.goodsLists)).status;
    expect(await fetchGoods()).toBe(200);
    const client = new Client(url);
    await client.connect();
    for (let round = 0; round < 3; round += 1) {
      const requests = Promise.all(Array.from({ length: 30 }, fetchGoods));
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      expect((await requests).every((status) => status === 200 || status === 503)).toBe(true);
    }
    await client.end();
    await expect.poll(fetchGoods, { timeout: 5_000 }).toBe(200);
    expect(server.child.exitCode).toBeNull();
  });

  it("does not start without PostgreSQL, and its error contains no password", async () => {
    const { status, output } = await spawnServer(withPostgres("postgres://u:hidden@127.0.0.1:1/x", newFolder())).ended;
    expect(status).toBe(1);
    expect(output).toMatch(/^The server could not start: .*ECONNREFUSED.*\n$/);
    expect(output).not.toContain("hidden");
  });
});
