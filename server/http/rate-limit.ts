import { codes } from "../../src/api/envelope.ts";
import { ApiError } from "../lib/api-error.ts";

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
