import { AsyncLocalStorage } from "node:async_hooks";
import { codes } from "../../src/api/envelope.ts";
import { ApiError } from "../lib/api-error.ts";

/** How long a call may wait for PostgreSQL in all, in ms: its time-outs are for one statement each, and a call has several. */
export const callDeadline = 7_500;

const calls = new AsyncLocalStorage<{ isOver: boolean }>();

/** Resolves as `work` does, or throws 503 with `data` after `ms`. The work itself goes on until the time-outs of what it waits for, but commits nothing more. */
export async function inTime<Result>(work: () => Promise<Result>, ms: number, data: object | null = null): Promise<Result> {
  const call = { isOver: false };
  const running = calls.run(call, work);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      call.isOver = true;
      reject(new ApiError(codes.unavailable, data, 503));
    }, ms);
  });
  // Nobody waits for it any more when it fails later.
  running.catch(() => {});
  return Promise.race([running, late]).finally(() => clearTimeout(timer));
}

/** Throws 503 when the call that this belongs to has been answered so: what it did must not come true afterwards. */
export function stopAfterDeadline(): void {
  if (calls.getStore()?.isOver) throw new ApiError(codes.unavailable, null, 503);
}
