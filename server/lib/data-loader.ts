interface PendingLoad<Value> {
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

const maxConcurrentBatches = 2;
const maxBatchSize = 100;

/**
 * Creates a loader that batches concurrent loads into one query (DataLoader). A query starts only after all its callers have called, so results are never
 * older than those of separate queries. Results are not cached.
 */
export function createDataLoader<Value>(loadBatch: (keys: string[]) => Promise<ReadonlyMap<string, Value>>) {
  const pending = new Map<string, PendingLoad<Value>[]>();
  let runningBatches = 0;
  let isScheduled = false;

  function startBatches(): void {
    isScheduled = false;
    while (runningBatches < maxConcurrentBatches && pending.size > 0) {
      const batch = [...pending].slice(0, maxBatchSize);
      for (const [key] of batch) pending.delete(key);
      runningBatches += 1;
      void runBatch(batch);
    }
  }

  async function runBatch(batch: [string, PendingLoad<Value>[]][]): Promise<void> {
    try {
      const values = await loadBatch(batch.map(([key]) => key));
      for (const [key, loads] of batch) for (const load of loads) load.resolve(values.get(key));
    } catch (error) {
      for (const [, loads] of batch) for (const load of loads) load.reject(error);
    } finally {
      runningBatches -= 1;
      startBatches();
    }
  }

  /** Returns the value of a key, or undefined. */
  return (key: string): Promise<Value | undefined> =>
    new Promise((resolve, reject) => {
      const loads = pending.get(key);
      if (loads) loads.push({ resolve, reject });
      else pending.set(key, [{ resolve, reject }]);
      if (isScheduled) return;
      isScheduled = true;
      // Runs after the event loop has handled all requests that have arrived by now.
      setImmediate(startBatches);
    });
}
