import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Hono } from "hono";
import * as v from "valibot";
import { codes } from "../../src/api/envelope.ts";
import type { Database } from "../db/database.ts";
import { durabilityOf } from "../db/durability.ts";
import { migrationsFolder } from "../db/migrations.ts";
import { answerWith, type Env } from "./envelope.ts";
import { Refusal } from "./refusal.ts";

/** How long a database may take to say that it is there, in ms. */
const patience = 2_500;
const journal = v.object({ entries: v.array(v.unknown()) });

/** `/healthz`: the process answers. `/readyz`: so does its database, migrated as this version needs it; and how safe what it keeps is, in words. */
export function serveHealth(app: Hono<Env>, db: Database): void {
  const { entries } = v.parse(journal, JSON.parse(readFileSync(join(migrationsFolder, "meta/_journal.json"), "utf8")));
  const needed = entries.length;
  app.get("/healthz", (c) => answerWith(c, {}));
  app.get("/readyz", async (c) => {
    const { applied, durability } = await inTime(look(db));
    if (applied < needed) throw new Refusal(codes.unavailable, { database: "reachable", migrations: { applied, needed } }, 503);
    return answerWith(c, { database: "reachable", migrations: { applied, needed }, durability });
  });
}

async function look(db: Database) {
  const [row] = await db
    .select({ applied: sql<number>`applied` })
    .from(sql`(select count(*)::int as applied from drizzle.__drizzle_migrations) as migrations`);
  return { applied: row?.applied ?? 0, durability: await durabilityOf(db) };
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal(codes.unavailable, { database: "does not answer" }, 503)), patience);
  });
  // Nobody hears of it when it fails later.
  work.catch(() => {});
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
