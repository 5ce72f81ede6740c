import type { Sheet } from "./sheet.ts";

/** News sheets carry no title: the headline stands beside them, in the reader's language. */
export const news: Record<string, Sheet> = {
  "n-crowd": { motif: "crowd" },
  "n-console": { motif: "desk", seed: "n-7" },
  "n-grooves": { motif: "grooves" },
  "n-count": { motif: "tally" },
  "n-doors": { motif: "doors" },
  "n-sign": { motif: "sign" },
  "n-wake": { motif: "wake" },
  "n-barograph": { motif: "barograph" },
  "n-rosette": { motif: "rosette" },
  "n-spiral": { motif: "spiral" },
  "n-reels": { motif: "reels" },
  "n-noon": { motif: "noon" },
  "n-facade": { motif: "facade" },
  "n-glasses": { motif: "glasses" },
  "n-marks": { motif: "marks" },
  "n-ajar": { motif: "ajar" },
};
