import type { Sheet } from "./poster.ts";
import { events } from "./sheet/event.ts";
import { goods } from "./sheet/goods.ts";
import { news } from "./sheet/news.ts";

/** Everything that is printed, by name: `e-` events, `n-` news, `g-` goods, `m-` passes. */
export const sheets: Record<string, Sheet> = { ...events, ...news, ...goods };
