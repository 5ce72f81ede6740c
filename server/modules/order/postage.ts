import type { Postage } from "../../../src/api/postage.ts";

const standard: Postage = { fen: 1200, free_from_fen: 19_900 };
const free: Postage = { fen: 0, free_from_fen: 0 };

/** Returns the postage for a member; `isFree` when their membership includes free postage. */
export function getPostage(isFree: boolean): Postage {
  return isFree ? free : standard;
}
