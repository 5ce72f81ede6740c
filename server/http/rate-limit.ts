import { ApiError } from "#server/lib/errors.ts";
import { codes } from "#src/api/envelope.ts";

const minute = 60_000;

/** Counts calls per network in this process, in fixed minutes. The returned function throws 429 above `perMinute`; 0 disables the limit. */
export function createRateLimit(perMinute: number, now: () => Date): (network: string) => void {
  let counts = new Map<string, number>();
  let startedAt = 0;
  return (network) => {
    if (perMinute === 0) return;
    const at = now().getTime();
    if (at - startedAt >= minute || at < startedAt) {
      startedAt = at;
      counts = new Map();
    }
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    if (count <= perMinute) return;
    const seconds = Math.max(1, Math.ceil((startedAt + minute - at) / 1000));
    throw new ApiError(codes.tooFrequent, { retry_after: seconds }, 429, { "Retry-After": String(seconds) });
  };
}

/** Thrown when the queue is full. */
export class QueueFullError extends Error {}

/**
 * Runs at most `limit` tasks at once and queues up to `queueSize` more in order. When a task fails with an error for which `affectsAllTasks` returns true, such as
 * an unavailable database, all queued tasks fail with it. The returned function throws QueueFullError.
 */
export function createConcurrencyLimit(limit: number, queueSize: number, affectsAllTasks: (error: unknown) => boolean) {
  let running = 0;
  let queue: { start: () => void; reject: (error: unknown) => void }[] = [];

  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (running < limit) running += 1;
    else if (queue.length >= queueSize) throw new QueueFullError();
    else await new Promise<void>((start, reject) => queue.push({ start, reject }));
    try {
      return await task();
    } catch (error) {
      if (affectsAllTasks(error)) {
        const rejected = queue;
        queue = [];
        for (const { reject } of rejected) reject(error);
      }
      throw error;
    } finally {
      // The slot passes to the next task directly, so that a new one cannot overtake the queue.
      const next = queue.shift();
      if (next) next.start();
      else running -= 1;
    }
  };
}
