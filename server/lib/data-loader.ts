import DataLoader from "dataloader";

/**
 * Creates a loader that batches concurrent loads into one query and returns the value of a key, or undefined. A query starts only after all its callers have
 * called, so results are never older than those of separate queries. Results are not cached.
 */
export function createDataLoader<Value>(loadBatch: (keys: string[]) => Promise<ReadonlyMap<string, Value>>) {
  const loader = new DataLoader<string, Value | undefined>(
    async (keys) => {
      const values = await loadBatch([...new Set(keys)]);
      return keys.map((key) => values.get(key));
    },
    // Runs after the event loop has handled all requests that have arrived by now.
    { cache: false, maxBatchSize: 100, batchScheduleFn: setImmediate },
  );
  return (key: string) => loader.load(key);
}
