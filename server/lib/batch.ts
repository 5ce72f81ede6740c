interface Waiting<Value> {
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

/** How many reads are under way at once, and how many keys one of them takes. */
const reads = 2;
const largest = 100;
/** Ms between two reads, once more than one has asked for the same read: one read more costs far more than another key in it does. */
const apart = 4;

/**
 * Reads many keys with one statement. Each read begins after all that wait for it have asked, so nobody is told anything older than what they would have
 * read alone: under load the database is asked for more at a time, instead of more often.
 */
export function createBatch<Value>(read: (keys: string[]) => Promise<ReadonlyMap<string, Value>>) {
  const waiting = new Map<string, Waiting<Value>[]>();
  let underWay = 0;
  let isDue = false;
  let next = 0;

  function plan(): void {
    if (isDue || underWay === reads || waiting.size === 0) return;
    isDue = true;
    const early = next - performance.now();
    if (early > 0) setTimeout(begin, early);
    // After everything that has arrived by now has been looked at.
    else setImmediate(begin);
  }

  function begin(): void {
    isDue = false;
    const some = [...waiting].slice(0, largest);
    for (const [key] of some) waiting.delete(key);
    next = performance.now() + (some.length > 1 || some.some(([, all]) => all.length > 1) ? apart : 0);
    underWay += 1;
    void answer(some);
    plan();
  }

  async function answer(some: [string, Waiting<Value>[]][]): Promise<void> {
    try {
      const found = await read(some.map(([key]) => key)).finally(() => {
        underWay -= 1;
        plan();
      });
      for (const [key, all] of some) for (const one of all) one.resolve(found.get(key));
    } catch (error) {
      for (const [, all] of some) for (const one of all) one.reject(error);
    }
  }

  /** What there is for a key, or undefined. */
  return (key: string): Promise<Value | undefined> =>
    new Promise((resolve, reject) => {
      const others = waiting.get(key);
      if (others) others.push({ resolve, reject });
      else waiting.set(key, [{ resolve, reject }]);
      plan();
    });
}
