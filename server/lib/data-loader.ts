interface Waiting<Value> {
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

/** How many reads are under way at once, and how many keys one of them takes. */
const reads = 2;
const largest = 100;

/**
 * Reads many keys with one statement. Each read begins after all that wait for it have asked, so nobody is told anything older than what they would have
 * read alone: under load the database is asked for more at a time, instead of more often.
 */
export function createDataLoader<Value>(read: (keys: string[]) => Promise<ReadonlyMap<string, Value>>) {
  const waiting = new Map<string, Waiting<Value>[]>();
  let underWay = 0;
  let isDue = false;

  function begin(): void {
    isDue = false;
    while (underWay < reads && waiting.size > 0) {
      const some = [...waiting].slice(0, largest);
      for (const [key] of some) waiting.delete(key);
      underWay += 1;
      void answer(some);
    }
  }

  async function answer(some: [string, Waiting<Value>[]][]): Promise<void> {
    try {
      const found = await read(some.map(([key]) => key));
      for (const [key, all] of some) for (const one of all) one.resolve(found.get(key));
    } catch (error) {
      for (const [, all] of some) for (const one of all) one.reject(error);
    } finally {
      underWay -= 1;
      begin();
    }
  }

  /** What there is for a key, or undefined. */
  return (key: string): Promise<Value | undefined> =>
    new Promise((resolve, reject) => {
      const others = waiting.get(key);
      if (others) others.push({ resolve, reject });
      else waiting.set(key, [{ resolve, reject }]);
      if (isDue) return;
      isDue = true;
      // After everything that has arrived by now has been looked at.
      setImmediate(begin);
    });
}
