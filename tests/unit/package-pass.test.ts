import { describe, expect, it } from "vitest";
import type { MemberPackage } from "../../src/api/package.ts";
import { compare } from "../../src/features/package/compare.ts";
import { barOf, effectOf } from "../../src/features/package/effect.ts";

const info = (rest: Partial<MemberPackage> = {}): MemberPackage => ({
  ...{ uid: "pass", level: 2, days: 365, title: "", summary: "", rights: [], free_postage: false },
  ...{ price_fen: 100, pay_fen: 100, badge: null, stock: null, limit: 1, on_sale: true, ...rest },
});
const [now, later, more] = ["2027-01-01T00:00:00.000Z", "2028-01-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"];

describe("what a pass does to one's expiry", () => {
  it.each([
    ["nobody is logged in", null, { kind: "visitor" }],
    ["a first pass", { current_expires_at: null, new_expires_at: later }, { kind: "fresh", after: later }],
    ["the same level", { current_expires_at: now, new_expires_at: later }, { kind: "extended", now, after: later }],
    ["a higher one", { current_expires_at: now, new_expires_at: more }, { kind: "upgraded", now, after: more }],
    ["a lower one", { current_expires_at: now, new_expires_at: null }, { kind: "lower", now }],
  ])("%s", (_, preview, effect) => {
    expect(effectOf({ info: info(), preview })).toMatchObject(effect);
  });

  it("is nothing where nobody can buy it", () => {
    expect(barOf({ info: info(), preview: null })).toBeNull();
    expect(barOf({ info: info({ stock: 0 }), preview: null })).toBe("soldOut");
    expect(barOf({ info: info({ on_sale: false, stock: 0 }), preview: null })).toBe("offSale");
  });
});

describe("the comparison", () => {
  const rights = (...rows: [icon: string, title: string][]) => ({ rights: rows.map(([icon, title]) => ({ icon, title })) });

  it("takes out the one word in which a right differs", () => {
    const passes = [rights(["clock", "24-hour early booking"]), rights(["clock", "48-hour early booking"])];
    expect(compare(passes)).toEqual([{ head: "…-hour early booking", cells: ["24", "48"] }]);
    const chinese = [rights(["door", "演出当晚走 A 口"]), rights(["door", "演出当晚走 B 口"]), rights()];
    expect(compare(chinese)).toEqual([{ head: "演出当晚走 … 口", cells: ["A", "B", null] }]);
  });

  it("ticks what is the same, and shows whole what differs altogether", () => {
    expect(compare([rights(), rights(["truck", "Free delivery"]), rights(["truck", "Free delivery"])])).toEqual([
      { head: "Free delivery", cells: [null, true, true] },
    ]);
    expect(compare([rights(["x", "One thing"]), rights(["x", "Quite another thing"])])).toEqual([
      { head: "", cells: ["One thing", "Quite another thing"] },
    ]);
  });
});
