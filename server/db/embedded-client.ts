import { PGlite, type PGliteOptions, type Transaction } from "@electric-sql/pglite";

/** PGlite that exposes its open transaction, of which there is at most one: Drizzle hides it. */
export class EmbeddedClient extends PGlite {
  currentTransaction: Transaction | undefined;

  override transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return super.transaction((transaction) => {
      this.currentTransaction = transaction;
      return work(transaction);
    });
  }
}

export async function openEmbeddedClient(options: PGliteOptions): Promise<EmbeddedClient> {
  const client = new EmbeddedClient(options);
  await client.waitReady;
  return client;
}
