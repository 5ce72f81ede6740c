import { sql } from "drizzle-orm";
import type { Hono } from "hono";
import type { Context } from "#server/context.ts";
import { type Database, unwrapDatabaseError } from "#server/db/database.ts";
import { getDurability, probeWrite } from "#server/db/health.ts";
import { describeMessages } from "#server/db/message-failures.ts";
import { countMigrations } from "#server/db/migrations.ts";
import { describePayment } from "#server/db/payment-fault.ts";
import { preparedStatement } from "#server/db/prepared.ts";
import { withDeadline } from "#server/lib/deadline.ts";
import { ApiError, getReason } from "#server/lib/errors.ts";
import { codes } from "#src/api/envelope.ts";
import { sendData } from "./envelope.ts";
import type { Env } from "./request.ts";

/** Time that the database may take to respond, in ms. */
const probeTimeout = 2_500;
/** Time that a probe's result is reused, in ms: frequent requests of /readyz do not reach the database. */
const probeLifetime = 1_000;

/**
 * Serves `/healthz` (the process responds) and `/readyz` (the process is not shutting down; its database responds, accepts writes and has this version's
 * migrations). `/readyz` reports the database's durability too, whether text messages are sent, and whether responses of the payment provider can be verified: it
 * is ready without.
 */
export function serveHealth(app: Hono<Env>, context: Pick<Context, "config" | "db" | "payment" | "shutdownSignal">): void {
  const { shutdownSignal } = context;
  const required = countMigrations();
  const probe = reuseResult(() => probeDatabase(context, required));
  let wasWritable = true;
  app.get("/healthz", (c) => sendData(c, {}));
  app.get("/readyz", async (c) => {
    if (shutdownSignal.aborted) throw new ApiError(codes.unavailable, { server: "is shutting down" }, 503);
    const { applied, durability, services, writeError } = await withDeadline(probe, probeTimeout, {
      database: "does not respond",
    });
    if (applied < required)
      throw new ApiError(codes.unavailable, { database: "reachable", migrations: { applied, needed: required } }, 503);
    if (writeError && wasWritable) console.error(`The database accepts no writes: ${writeError}`);
    wasWritable = !writeError;
    if (writeError) throw new ApiError(codes.unavailable, { database: "accepts no writes" }, 503);
    return sendData(c, { database: "reachable", migrations: { applied, needed: required }, durability, ...services });
  });
}

/** Prepared as the statements of requests are, which a pooler may not support. */
const countApplied = preparedStatement("migrations_applied", { applied: sql<number>`applied` }, (db, fields) =>
  db.select(fields).from(sql`(select count(*)::int as applied from drizzle.__drizzle_migrations) as migrations`),
);

async function probeDatabase({ config, db, payment }: Pick<Context, "config" | "db" | "payment">, required: number) {
  const [row] = await countApplied(db);
  const applied = row?.applied ?? 0;
  const durability = await getDurability(db);
  const writeError = await getWriteError(db);
  if (applied < required) return { applied, durability, services: {}, writeError };
  const services = {
    payment: payment.name === "wechat" ? await describePayment(db) : "ok",
    messages: await describeMessages(db, config.SMS),
  };
  return { applied, durability, services, writeError };
}

/** Returns why a reachable database accepts no writes; null when it does. */
const getWriteError = (db: Database): Promise<string | null> =>
  probeWrite(db).then(
    () => null,
    (error: unknown) => getReason(unwrapDatabaseError(error)),
  );

/** Calls `work` again only when its last result is older than `probeLifetime`. Concurrent calls share a result. */
function reuseResult<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let last: { result: Promise<Result>; until: number } | undefined;
  return () => {
    if (last && performance.now() < last.until) return last.result;
    const next = { result: work(), until: Number.POSITIVE_INFINITY };
    const expireLater = () => {
      next.until = performance.now() + probeLifetime;
    };
    next.result.then(expireLater, expireLater);
    last = next;
    return next.result;
  };
}
