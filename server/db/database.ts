import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { stopAfterDeadline } from "../http/deadline.ts";

/** What modules work with: PGlite and PostgreSQL alike, a transaction too. */
export type Database = PgDatabase<PgQueryResultHKT>;

const attempts = 4;

/** Runs `work` in a transaction; the whole of it again when PostgreSQL asks for that (40001, 40P01). Inside, use `tx` alone: PGlite waits for ever on anything else. */
export async function inTransaction<Result>(db: Database, work: (tx: Database) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(async (tx) => {
        const result = await work(tx);
        stopAfterDeadline();
        return result;
      });
    } catch (error) {
      const code = sqlState(error);
      if (attempt === attempts || (code !== "40001" && code !== "40P01")) throw error;
    }
  }
}

/** The error that lies under Drizzle's wrapping, whose message repeats the query and its values. */
export function databaseFault(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? databaseFault(error.cause) : error;
}

/** SQLSTATE, or Node's code of a broken connection, or "". */
export function sqlState(error: unknown): string {
  const fault = databaseFault(error);
  return typeof fault === "object" && fault !== null && "code" in fault && typeof fault.code === "string" ? fault.code : "";
}

const away = /^(08...|57P0.|57014|53300|55P03|25P03|E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN))$/;
const awayWords =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|client has encountered a connection error|not queryable/i;

/** The database cannot be reached, or does not answer in time: 503, not 500. */
export function isDatabaseAway(error: unknown): boolean {
  const fault = databaseFault(error);
  if (away.test(sqlState(error))) return true;
  if (fault instanceof AggregateError) return fault.errors.some(isDatabaseAway);
  return fault instanceof Error && awayWords.test(fault.message);
}
