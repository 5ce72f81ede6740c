/** Counts requests in flight. A request whose client has disconnected still counts: its handler needs the database until it ends. */
export function createInFlight() {
  let count = 0;
  let onIdle = () => {};
  return {
    async run<Result>(work: () => Result | Promise<Result>): Promise<Result> {
      count += 1;
      try {
        return await work();
      } finally {
        count -= 1;
        if (count === 0) onIdle();
      }
    },
    /** Resolves when nothing is in flight, after `timeout` ms at the latest. */
    waitUntilIdle(timeout: number): Promise<void> {
      if (count === 0) return Promise.resolve();
      return new Promise((resolve) => {
        onIdle = resolve;
        setTimeout(resolve, timeout).unref();
      });
    },
  };
}
