import { codes } from "../../src/api/envelope.ts";
import { ApiError } from "../lib/api-error.ts";

const minute = 60_000;

/** Counts calls per network in this process, in fixed minutes. The returned function throws 429 for a call over the ceiling; 0 is none. */
export function createRateLimit(perMinute: number, now: () => Date): (network: string) => void {
  let counts = new Map<string, number>();
  let began = 0;
  return (network) => {
    if (perMinute === 0) return;
    const at = now().getTime();
    if (at - began >= minute || at < began) {
      began = at;
      counts = new Map();
    }
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    if (count <= perMinute) return;
    const seconds = Math.max(1, Math.ceil((began + minute - at) / 1000));
    throw new ApiError(codes.tooFrequent, { retry_after: seconds }, 429, { "Retry-After": String(seconds) });
  };
}
