/** Thrown to those for whom there is no room to wait. */
export class GateFullError extends Error {}

interface Waiting {
  enter(): void;
  reject(error: unknown): void;
}

/**
 * Lets so many pieces of work through at once; the others wait in their order, `room` of them at most.
 * Where one fails with an error that `isShared`, such as a database that is away, those who wait get the same: none waits for what is known to fail.
 */
export function createGate(width: number, room: number, isShared: (error: unknown) => boolean) {
  let inside = 0;
  let waiting: Waiting[] = [];

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (inside < width) inside += 1;
    else if (waiting.length >= room) throw new GateFullError();
    else await new Promise<void>((enter, reject) => waiting.push({ enter, reject }));
    try {
      return await work();
    } catch (error) {
      if (isShared(error)) {
        const others = waiting;
        waiting = [];
        for (const { reject } of others) reject(error);
      }
      throw error;
    } finally {
      // The place is handed on: whoever arrives meanwhile does not overtake.
      const next = waiting.shift();
      if (next) next.enter();
      else inside -= 1;
    }
  };
}
