import { AsyncLocalStorage } from "node:async_hooks";
import { codes } from "#src/api/envelope.ts";
import { ApiError } from "./errors.ts";

/** Time that one API call may wait for PostgreSQL in all, in ms: the database's own timeouts apply to single statements. */
export const callDeadline = 7_500;

const calls = new AsyncLocalStorage<{ isOver: boolean }>();

/** Resolves as `work` does, or throws 503 with `data` after `ms`. Work that continues after that cannot commit a transaction. */
export async function withDeadline<Result>(
  work: () => Promise<Result>,
  ms: number,
  data: object | null = null,
): Promise<Result> {
  const call = { isOver: false };
  const running = calls.run(call, work);
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      call.isOver = true;
      reject(new ApiError(codes.unavailable, data, 503));
    }, ms);
  });
  // Prevents an unhandled rejection when the work fails after the deadline.
  running.catch(() => {});
  return Promise.race([running, expired]).finally(() => clearTimeout(timer));
}

/** Throws 503 when the current call has passed its deadline: the client has received an error, so nothing may be committed. */
export function throwAfterDeadline(): void {
  if (calls.getStore()?.isOver) throw new ApiError(codes.unavailable, null, 503);
}
