import type { Both } from "../schema/column.ts";
import type { packages } from "../schema/package.ts";

const both = <Value>(zh: Value, en: Value): Both<Value> => ({ "zh-CN": zh, "en-US": en });

/** `icon` is a name of the site's icon set. */
function rights(...rows: [icon: string, zh: string, en: string][]) {
  return both(
    rows.map(([icon, title]) => ({ icon, title })),
    rows.map(([icon, , title]) => ({ icon, title })),
  );
}

const year = { days: 365, badge: null, stock: null, limit: 3, onSale: true };

/** Plates A, B and C. */
export const packageSeed: (typeof packages.$inferInsert)[] = [
  {
    ...year,
    uid: "listener",
    level: 1,
    position: 1,
    title: both("听众证", "Listener"),
    summary: both("提前 24 小时购票", "24-hour early booking"),
    rights: rights(
      ["clock", "提前 24 小时购票", "24-hour early booking"],
      ["door-open", "演出当晚走 A 口", "Gate A on show nights"],
    ),
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
    summary: both("提前 48 小时，购物免运费", "48 hours early, free delivery"),
    rights: rights(
      ["clock", "提前 48 小时购票", "48-hour early booking"],
      ["truck", "商城免运费", "Free delivery from the mall"],
      ["door-open", "演出当晚走 B 口", "Gate B on show nights"],
    ),
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
    summary: both("优先入场，一张随行票，彩排探班", "First in, a plus-one, rehearsal visit"),
    rights: rights(
      ["clock", "提前 72 小时购票", "72-hour early booking"],
      ["truck", "商城免运费", "Free delivery from the mall"],
      ["disc-3", "限量款优先挑", "First pick of editions"],
      ["ticket", "一张随行票", "A plus-one ticket"],
      ["sliders-vertical", "彩排探班", "A rehearsal visit"],
      ["door-open", "演出当晚走 C 口", "Gate C on show nights"],
    ),
    freePostage: true,
    priceFen: 69_800,
    payFen: 69_800,
    badge: both("走得最远", "Furthest in"),
    stock: 500,
    limit: 1,
  },
];
