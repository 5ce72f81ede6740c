import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Client } from "pg";
import * as v from "valibot";
import { contract } from "#src/api/contract.ts";
import { clientAt } from "../client/client.ts";
import { ledgerQuery, setStockSql } from "../database/catalogue.ts";
import { type Engine, newPostgres } from "../database/database.ts";
import { newFolder, type ServerProcess, startServer, withPostgres } from "../processes/child-process.ts";
import { createLoadUsers, createTotePayload, type LoadUser } from "./load.ts";

type Run = (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** Creates a database for a server that is killed. `inspect` queries it directly; PGlite only while no server has it open. */
export async function createCrashTarget(engine: Engine) {
  if (engine === "PGlite") {
    const folder = newFolder("seeded");
    const inspect = async <Result>(work: (run: Run) => Promise<Result>) => {
      const client = await PGlite.create(join(folder, "database"));
      const run: Run = async (sql, values) => (await client.query<Record<string, unknown>>(sql, values)).rows;
      return work(run).finally(() => client.close());
    };
    return { env: { DATA_DIR: folder }, inspect };
  }
  const url = await newPostgres();
  return {
    env: withPostgres(url, newFolder()),
    inspect: <Result>(work: (run: Run) => Promise<Result>) => queryDatabase(url, work),
  };
}

export async function queryDatabase<Result>(url: string, work: (run: Run) => Promise<Result>): Promise<Result> {
  const client = new Client(url);
  await client.connect();
  return work(async (sql, values) => (await client.query(sql, values)).rows).finally(() => client.end());
}

/** Starts members who order one after the other, `atOnce` at a time. `orders` are the acknowledged ones. */
export function startBuyers(origin: () => string, users: LoadUser[], atOnce: number) {
  const orders: string[] = [];
  const statuses: { status: number; ms: number }[] = [];
  let stopped = false;
  let next = 0;
  const buy = async () => {
    for (let user = users[next++]; user && !stopped; user = users[next++]) {
      const began = performance.now();
      const response = await clientAt(origin())
        .send(contract.mallCreateOrder, createTotePayload(user.addressId), { token: user.token })
        .catch(() => null);
      statuses.push({ status: response?.status ?? 0, ms: performance.now() - began });
      if (response?.code === 1) orders.push(v.parse(contract.mallCreateOrder.data, response.data).order_sn);
      // A server that is down refuses at once: the remaining users are not used up.
      if (!response) return;
    }
  };
  const done = Promise.all(Array.from({ length: atOnce }, buy));
  return {
    orders,
    statuses,
    spent: () => next >= users.length,
    stop: () => {
      stopped = true;
      return done;
    },
    done,
  };
}

/** Counts lost acknowledged orders, partial orders, the difference in stock, which started at `stockBefore`, and stocks that differ from their movements. */
export async function findInconsistencies(run: Run, acknowledged: string[], stockBefore: number) {
  const [row] = await run(
    `select
       (select count(*)::int from unnest($1::text[]) as acknowledged (order_sn) where not exists (select from orders where orders.order_sn = acknowledged.order_sn)) as lost,
       (select count(*)::int from orders where (select count(*) from order_lines where order_lines.order_sn = orders.order_sn) <> 1
          or (select count(*) from order_requests where order_requests.order_sn = orders.order_sn) <> 1) as partial,
       (select $2::int - stock - (select coalesce(sum(quantity), 0) from order_lines join orders using (order_sn) where status <> 'closed')::int
          from skus where uid = 'tote') as stock_off,
       (select count(*)::int from (${ledgerQuery}) as wrong) as ledger_off`,
    [acknowledged, stockBefore],
  );
  return row;
}

/** Kills a server `rounds` times while orders are created. Returns the number of acknowledged orders and the inconsistencies. */
export async function killDuringOrders(engine: Engine, rounds: number) {
  const { env, inspect } = await createCrashTarget(engine);
  const stock = 1_000_000;
  const acknowledged: string[] = [];
  let server: ServerProcess | null = null;
  for (let round = 0; round < rounds; round += 1) {
    const users = await inspect(async (run) => {
      if (round === 0) await run(setStockSql("skus", "tote", stock));
      return createLoadUsers(run, 1000);
    });
    server = await startServer(env);
    const { origin, child, ended } = server;
    const buyers = startBuyers(() => origin, users, 20);
    const target = 20 + Math.floor(Math.random() * 80);
    while (buyers.orders.length < target && !buyers.spent()) await new Promise((resolve) => setTimeout(resolve, 2));
    child.kill("SIGKILL");
    await Promise.all([ended, buyers.done]);
    acknowledged.push(...buyers.orders);
  }
  // The server restarts on the same data.
  const again = await startServer(env);
  again.child.kill("SIGTERM");
  const { status } = await again.ended;
  return {
    acknowledged: acknowledged.length,
    status,
    faults: await inspect((run) => findInconsistencies(run, acknowledged, stock)),
  };
}

export interface SmallDisk {
  folder: string;
  /** Fills the disk to the last byte. */
  fill(): void;
  /** Deletes what `fill` wrote. */
  free(): void;
  unmount(): void;
}

/** Mounts a file system of `megabytes` MB in memory; returns null where mounting fails, as only root may. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), "entrance-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  // PostgreSQL does not run as root.
  chmodSync(folder, 0o777);
  const filler = join(folder, "filler");
  return {
    folder,
    fill() {
      const file = openSync(filler, "a");
      for (let size = 1024 * 1024; size >= 1; size = size / 4) {
        const block = Buffer.alloc(size);
        try {
          for (;;) writeSync(file, block);
        } catch {
          // A smaller block may still fit.
        }
      }
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
    unmount() {
      execFileSync("umount", ["--lazy", folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** For `it.skipIf`: returns true where a disk cannot be mounted. */
export function isWithoutSmallDisk(): boolean {
  const disk = mountSmallDisk(1);
  disk?.unmount();
  return disk === null;
}
