import { sql } from "drizzle-orm";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { contract } from "#src/api/contract.ts";
import { withBuyer } from "#tests/support/client/order.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";

afterEach(() => vi.restoreAllMocks());

const unavailable: [state: string, meaning: string][] = [
  ["08006", "the connection failed"],
  ["08P01", "a pooler refuses"],
  ["25006", "read-only"],
  ["25P03", "idle in a transaction for too long"],
  ["25P04", "a transaction for too long"],
  ["28000", "no such role, or no log-in"],
  ["28P01", "another password"],
  ["3D000", "no such database"],
  ["53000", "too few resources"],
  ["53100", "no space left"],
  ["53200", "no memory left"],
  ["53300", "too many connections"],
  ["55P03", "a lock is not available"],
  ["57014", "cancelled"],
  ["57P01", "terminated"],
  ["57P02", "a crash of another connection"],
  ["57P03", "starting up"],
];
const faulty: [state: string, meaning: string][] = [
  ["23514", "a check"],
  ["42501", "a missing right"],
  ["P0001", "an exception"],
  ["XX001", "damaged data"],
];
const rows = [
  ...unavailable.map((row) => [...row, 503, 10503, "2"] as const),
  ...faulty.map((row) => [...row, 500, 10500, null] as const),
];

describeOnEngines("a call whose statement fails on %s", (engine) => {
  it("is unavailable for now with Retry-After when the database is, and an error of the server otherwise", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { server, buyer } = await withBuyer(engine);
    onTestFinished(async () => void (await server.db.execute(sql`drop function fail cascade`)));
    await server.db.execute(sql`create function fail() returns trigger language plpgsql as $$ begin return new; end $$`);
    await server.db.execute(sql`create trigger fail before update on addresses for each statement execute function fail()`);
    const { list } = await buyer.call(contract.addressLists);
    const change = { name: "小满", mobile: "13800138000", region_code: "310104", detail: "Road 1", is_default: true };
    const send = () => buyer.send(contract.addressUp, { address_id: list[0]?.address_id, ...change });
    for (const [state, meaning, status, code, retryAfter] of rows) {
      await server.db.execute(
        sql.raw(
          `create or replace function fail() returns trigger language plpgsql as $$ begin raise sqlstate '${state}'; end $$`,
        ),
      );
      const response = await send();
      expect({
        state,
        meaning,
        status: response.status,
        code: response.code,
        retryAfter: response.headers.get("retry-after"),
      }).toEqual({ state, meaning, status, code, retryAfter });
    }
    await server.db.execute(
      sql`create or replace function fail() returns trigger language plpgsql as $$ begin return new; end $$`,
    );
    expect((await send()).status).toBe(200);
  });
});
