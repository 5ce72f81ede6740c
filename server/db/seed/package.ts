import type { Localized } from "../schema/column.ts";
import type { packages } from "../schema/package.ts";

const both = <Value>(zh: Value, en: Value): Localized<Value> => ({ "zh-CN": zh, "en-US": en });

/** `icon` is a name in the site's icon set. */
function rights(...rows: Right[]) {
  return both(
    rows.map(([icon, title]) => ({ icon, title })),
    rows.map(([icon, , title]) => ({ icon, title })),
  );
}

type Right = [icon: string, zh: string, en: string];
const runs: Right = ["calendar-days", "有效 365 天", "Runs 365 days"];
const upgrade: Right = ["arrow-up", "升级时，剩下的时间按价折算", "Unused time carries over when you go up"];
const delivery: Right = ["truck", "商城免运费", "Free delivery from the mall"];

const year = { days: 365, badge: null, stock: null, limit: 3, onSale: true };

export const packageSeed: (typeof packages.$inferInsert)[] = [
  {
    ...year,
    uid: "listener",
    level: 1,
    position: 1,
    title: both("听众证", "Listener"),
    summary: both("先有一张，往上升不亏", "A first pass, worth its price when you go up"),
    rights: rights(runs, upgrade),
    freePostage: false,
    priceFen: 9800,
    payFen: 9800,
  },
  {
    ...year,
    uid: "regular",
    level: 2,
    position: 2,
    title: both("常客证", "Regular"),
    summary: both("商城每一单都免运费", "Free delivery on every mall order"),
    rights: rights(runs, delivery, upgrade),
    freePostage: true,
    priceFen: 29_800,
    payFen: 29_800,
  },
  {
    ...year,
    uid: "all-access",
    level: 3,
    position: 3,
    title: both("全通证", "All Access"),
    summary: both("免运费，只有 500 张", "Free delivery, one of 500"),
    rights: rights(runs, delivery, ["award", "只有 500 张", "One of 500"]),
    freePostage: true,
    priceFen: 69_800,
    payFen: 69_800,
    badge: both("走得最远", "Furthest in"),
    stock: 500,
    limit: 1,
  },
];
