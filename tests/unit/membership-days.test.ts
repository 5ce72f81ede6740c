import { describe, expect, it } from "vitest";
import { getExpiryOnRenewal, type MemberPackage } from "../../src/api/package.ts";
import { compare, getMembershipChange, getUnavailableReason } from "../../src/features/package/membership-change.ts";

const createPackage = (rest: Partial<MemberPackage> = {}): MemberPackage => ({
  uid: "pass",
  level: 2,
  days: 365,
  title: "",
  summary: "",
  rights: [],
  free_postage: false,
  price_fen: 100,
  pay_fen: 100,
  badge: null,
  stock: null,
  limit: 1,
  on_sale: true,
  ...rest,
});
const [now, later, more] = ["2027-01-01T00:00:00.000Z", "2028-01-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"];

describe("the change of a membership by a package", () => {
  it.each([
    ["a visitor", null, { kind: "visitor" }],
    ["a first package", { current_expires_at: null, new_expires_at: later }, { kind: "fresh", after: later }],
    [
      "a package of the same level",
      { current_expires_at: now, new_expires_at: later },
      { kind: "extended", now, after: later },
    ],
    ["a package of a higher level", { current_expires_at: now, new_expires_at: more }, { kind: "upgraded", now, after: more }],
    ["a package of a lower level", { current_expires_at: now, new_expires_at: null }, { kind: "lower", now }],
  ])("getMembershipChange returns the change for %s", (_, preview, change) => {
    expect(getMembershipChange({ info: createPackage(), preview })).toMatchObject(change);
  });

  it("is none when the member's orders have as many as one member can buy", () => {
    const data = { info: createPackage({ limit: 0 }), preview: { current_expires_at: now, new_expires_at: later } };
    expect(getMembershipChange(data)).toEqual({ kind: "full", now });
    expect(getExpiryOnRenewal(data)).toBeNull();
    expect(getExpiryOnRenewal({ ...data, info: createPackage() })).toBe(later);
    expect(getExpiryOnRenewal({ ...data, info: createPackage({ stock: 0 }) })).toBeNull();
  });

  it("is blocked when the package is sold out or off sale", () => {
    expect(getUnavailableReason({ info: createPackage(), preview: null })).toBeNull();
    expect(getUnavailableReason({ info: createPackage({ stock: 0 }), preview: null })).toBe("soldOut");
    expect(getUnavailableReason({ info: createPackage({ on_sale: false, stock: 0 }), preview: null })).toBe("offSale");
  });
});

describe("the package comparison", () => {
  const rights = (...rows: [icon: string, title: string][]) => ({ rights: rows.map(([icon, title]) => ({ icon, title })) });

  it("has a row for each right by its own title", () => {
    const passes = [rights(["clock", "24-hour early booking"]), rights(["clock", "48-hour early booking"]), rights()];
    expect(compare(passes)).toEqual([
      { title: "24-hour early booking", has: [true, false, false], isAtTheDoor: false },
      { title: "48-hour early booking", has: [false, true, false], isAtTheDoor: false },
    ]);
  });

  it("marks a right that is given at the door", () => {
    const drink = { icon: "cup", title: "A free drink", at_the_door: true };
    expect(compare([rights(["calendar", "Runs 365 days"]), { rights: [drink] }])).toEqual([
      { title: "Runs 365 days", has: [true, false], isAtTheDoor: false },
      { title: "A free drink", has: [false, true], isAtTheDoor: true },
    ]);
  });

  it("starts with the rights of all packages", () => {
    const [year, delivery] = [["calendar", "Runs 365 days"] as const, ["truck", "Free delivery"] as const];
    expect(compare([rights([...year]), rights([...delivery], [...year])])).toEqual([
      { title: "Runs 365 days", has: [true, true], isAtTheDoor: false },
      { title: "Free delivery", has: [false, true], isAtTheDoor: false },
    ]);
  });
});
