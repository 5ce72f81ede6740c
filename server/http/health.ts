import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Hono } from "hono";
import * as v from "valibot";
import { codes } from "../../src/api/envelope.ts";
import type { Context } from "../context.ts";
import { type Database, databaseFault, isDatabaseAway } from "../db/database.ts";
import { getDurability } from "../db/durability.ts";
import { migrationsFolder } from "../db/migrations.ts";
import { probeWrite } from "../db/write-probe.ts";
import { ApiError } from "../lib/api-error.ts";
import { inTime } from "./deadline.ts";
import { type Env, sendData } from "./envelope.ts";

/** How long a database may take to say that it is there, in ms. */
const patience = 2_500;
/** For how long a look at the database counts, in ms: however often /readyz is asked, the database is not. */
const fresh = 1_000;
const journal = v.object({ entries: v.array(v.unknown()) });

/**
 * `/healthz`: the process answers. `/readyz`: it is not about to end, and its database answers, takes writes and has the migrations of this version; and how
 * safe what it keeps is, in words.
 */
export function serveHealth(app: Hono<Env>, { db, ending }: Pick<Context, "db" | "ending">): void {
  const { entries } = v.parse(journal, JSON.parse(readFileSync(join(migrationsFolder, "meta/_journal.json"), "utf8")));
  const needed = entries.length;
  const look = atIntervals(() => lookAt(db));
  let couldWrite = true;
  app.get("/healthz", (c) => sendData(c, {}));
  app.get("/readyz", async (c) => {
    if (ending.aborted) throw new ApiError(codes.unavailable, { server: "is shutting down" }, 503);
    const { applied, durability, writeFault } = await inTime(look, patience, { database: "does not answer" });
    if (applied < needed)
      throw new ApiError(codes.unavailable, { database: "reachable", migrations: { applied, needed } }, 503);
    if (writeFault && couldWrite) console.error(`The database takes no writes: ${writeFault}`);
    couldWrite = !writeFault;
    if (writeFault) throw new ApiError(codes.unavailable, { database: "takes no writes" }, 503);
    return sendData(c, { database: "reachable", migrations: { applied, needed }, durability });
  });
}

async function lookAt(db: Database) {
  const [row] = await db
    .select({ applied: sql<number>`applied` })
    .from(sql`(select count(*)::int as applied from drizzle.__drizzle_migrations) as migrations`);
  const durability = await getDurability(db);
  return { applied: row?.applied ?? 0, durability, writeFault: await writeFaultOf(db) };
}

/** Why a database that answers takes no writes; null when it does. */
async function writeFaultOf(db: Database): Promise<string | null> {
  try {
    await probeWrite(db);
    return null;
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    const fault = databaseFault(error);
    return fault instanceof Error ? fault.message : "no reason given";
  }
}

/** Calls `work` again only when `fresh` ms have passed since its last result, which calls meanwhile share. */
function atIntervals<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let last: { result: Promise<Result>; until: number } | undefined;
  return () => {
    if (last && performance.now() < last.until) return last.result;
    const next = { result: work(), until: Number.POSITIVE_INFINITY };
    const settle = () => {
      next.until = performance.now() + fresh;
    };
    next.result.then(settle, settle);
    last = next;
    return next.result;
  };
}
