import { codes } from "../../src/api/envelope.ts";
import { Refusal } from "./refusal.ts";

/** How long a call may wait for PostgreSQL in all, in ms: its time-outs are for one statement each, and a call has several. */
export const callDeadline = 7_500;

/** Resolves as `work` does, or throws 503 with `data` after `ms`. The work itself goes on, and ends by the time-outs of what it waits for. */
export async function inTime<Result>(work: Promise<Result>, ms: number, data: object | null = null): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal(codes.unavailable, data, 503)), ms);
  });
  // Nobody waits for it any more when it fails later.
  work.catch(() => {});
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
