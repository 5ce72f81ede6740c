import { type PGlite, type QueryOptions, type Transaction, types } from "@electric-sql/pglite";
import { sql } from "drizzle-orm";
import { drizzle, type PgliteDatabase } from "drizzle-orm/pglite";
import { type Database, type PreparedQuery, rejectNestedTransaction } from "./database.ts";

/** PGlite that exposes its open transaction, of which there is at most one: Drizzle hides it. */
export interface EmbeddedClient extends PGlite {
  currentTransaction: Transaction | undefined;
}

/** Creates a database on PGlite. */
export function createEmbeddedDatabase(client: EmbeddedClient): Database & PgliteDatabase {
  const db = drizzle({ client });
  const runTransaction: Database["runTransaction"] = (work, mode) =>
    db.transaction(async (tx) => {
      const { currentTransaction } = client;
      if (!currentTransaction) throw new Error("PGlite has opened no transaction");
      if (mode) await tx.execute(sql.raw(`set transaction ${mode}`));
      return work(
        Object.assign(tx, { executePrepared: createExecutor(currentTransaction), runTransaction: rejectNestedTransaction }),
      );
    });
  return Object.assign(db, { executePrepared: createExecutor(client), runTransaction });
}

const toText = (value: string) => value;
const options: QueryOptions = {
  rowMode: "array",
  parsers: { [types.DATE]: toText, [types.TIMESTAMP]: toText, [types.TIMESTAMPTZ]: toText },
};

/** PGlite has no prepared statements: the name goes unused. */
function createExecutor(client: EmbeddedClient | Transaction): Database["executePrepared"] {
  return ({ text, values }: PreparedQuery) => client.query<unknown[]>(text, values, options).then(({ rows }) => rows);
}
