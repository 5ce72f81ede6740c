import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { throwAfterDeadline } from "#server/lib/deadline.ts";

/** A statement with its values in the driver's format; PostgreSQL plans it once per connection and name. */
export interface PreparedQuery {
  name: string;
  text: string;
  values: unknown[];
}

/** The only mode besides the default, "read committed": a consistent snapshot. */
export type TransactionMode = "isolation level repeatable read, read only";

/** A database of either engine, or a transaction: Drizzle's, and what Drizzle's public API lacks. */
export interface Database extends PgDatabase<PgQueryResultHKT> {
  /** Returns the cells of each row, with times as text, as Drizzle's columns expect. Generates no SQL, which costs more than executing it. */
  executePrepared(query: PreparedQuery): Promise<unknown[][]>;
  /** Replaces Drizzle's `transaction`, which hides the driver's connection. Throws inside a transaction. */
  runTransaction<Result>(work: (tx: Database) => Promise<Result>, mode?: TransactionMode): Promise<Result>;
}

/** `runTransaction` of a transaction. */
export async function rejectNestedTransaction(): Promise<never> {
  throw new Error("a transaction cannot contain another one");
}

export interface OpenDatabase {
  db: Database;
  /** The engine and what it guarantees, for the banner. */
  durability: string;
  close(): Promise<void>;
}

/** Prepares an opened database before its first use. `migrate` applies this version's migrations. */
export type DatabaseSetup = (db: Database, migrate: () => Promise<void>) => Promise<void>;

const maxAttempts = 4;

/** Runs `work` in a transaction, and runs it again on a serialization failure or a deadlock (40001, 40P01). Inside, use `tx` alone: on PGlite, `db` waits for ever. */
export async function inTransaction<Result>(db: Database, work: (tx: Database) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.runTransaction(async (tx) => {
        const result = await work(tx);
        throwAfterDeadline();
        return result;
      });
    } catch (error) {
      const state = getSqlState(error);
      if (attempt === maxAttempts || (state !== "40001" && state !== "40P01")) throw error;
    }
  }
}

/** Returns the error that Drizzle wraps: the wrapper's message repeats the query and its values. */
export function unwrapDatabaseError(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? unwrapDatabaseError(error.cause) : error;
}

/** Returns the SQLSTATE, or Node's code of a broken connection, or "". */
export function getSqlState(error: unknown): string {
  const cause = unwrapDatabaseError(error);
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : "";
}

/** Returns whether a row was refused because its member has ended since the session was read. */
export function isMemberGone(error: unknown): boolean {
  const cause = unwrapDatabaseError(error);
  if (getSqlState(error) !== "23503" || typeof cause !== "object" || cause === null || !("constraint" in cause)) return false;
  return String(cause.constraint).endsWith("_member_id_members_id_fk");
}

/** Cancelled, or waiting for a lock: the connection is sound. */
const statementStates = /^(57014|55P03)$/;
/**
 * The connection fails (08), is idle in a transaction (25P0.), refused (28, 3D, 55000) or terminated (57P0.); the database is read-only (25006), as after a failover,
 * or lacks connections, memory or space (53). The others are Node's, of an open socket and of TLS.
 */
const connectionStates =
  /^(08...|25006|25P0[34]|28...|3D000|53...|55000|57P0.|E(CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH)|(.*_)?CERT(_.*)?|UNABLE_TO_.*)$/;
/** Of Node, to connect: whatever the code, and a socket's path may be missing. */
const connectionCalls: unknown[] = ["connect", "getaddrinfo"];
const connectionMessages =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|client has encountered a connection error|not queryable|does not support SSL/i;

/** Returns whether the database cannot be reached, accepts no writes or does not respond in time: 503 instead of 500. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return statementStates.test(getSqlState(error)) || isConnectionSuspect(error);
}

/** Returns whether other statements on the same connection, and on those that were opened with it, are likely to fail as this one. */
export function isConnectionSuspect(error: unknown): boolean {
  const cause = unwrapDatabaseError(error);
  if (cause instanceof AggregateError) return cause.errors.some(isConnectionSuspect);
  if (!(cause instanceof Error)) return false;
  const isConnecting = "syscall" in cause && connectionCalls.includes(cause.syscall);
  return isConnecting || connectionStates.test(getSqlState(cause)) || connectionMessages.test(cause.message);
}
