import { events } from "./sheet/event.ts";
import { goods } from "./sheet/goods.ts";
import { news } from "./sheet/news.ts";
import type { Sheet } from "./sheet/sheet.ts";

/** Everything that is printed, by name: `e-` events, `n-` news, `g-` goods, `m-` passes. */
export const sheets: Record<string, Sheet> = { ...events, ...news, ...goods };
