/** Counts what is being answered: a client that has gone leaves its request behind, which still needs the database. */
export function createInFlight() {
  let count = 0;
  let tell = () => {};
  return {
    async through<Result>(work: () => Result | Promise<Result>): Promise<Result> {
      count += 1;
      try {
        return await work();
      } finally {
        count -= 1;
        if (count === 0) tell();
      }
    },
    /** Resolves when nothing is under way, after `patience` ms at the latest. */
    over(patience: number): Promise<void> {
      if (count === 0) return Promise.resolve();
      return new Promise((resolve) => {
        tell = resolve;
        setTimeout(resolve, patience).unref();
      });
    },
  };
}
