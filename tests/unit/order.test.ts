import { describe, expect, it } from "vitest";
import { orderList } from "#i18n/order-list.ts";
import { canBePaidLate, getOutcome, getSteps } from "#src/api/order-status.ts";
import { getExpiryAfter } from "#src/api/package.ts";
import { groupByUrgency } from "#src/features/order-list/store.ts";
import { getLastChange } from "#src/features/order-list/summary.ts";
import { findSkuByUid, parseSkuUid } from "#src/features/purchase/totals.ts";
import { formatDateTime } from "#src/lib/date.ts";
import { formatCountdown, getMinutesToAnnounce, getSecondsLeft } from "#src/lib/use-countdown.ts";
import { createItem, createPackage } from "#tests/support/contract/samples.ts";

describe("the payment countdown", () => {
  const until = "2027-03-01T20:30:00+08:00";
  it.each([
    ["2027-03-01T12:00:00Z", 1800, "30:00"],
    ["2027-03-01T12:29:59.001Z", 1, "00:01"],
    ["2027-03-01T12:30:00Z", 0, "00:00"],
    ["2027-03-01T13:30:00Z", 0, "00:00"],
    ["2027-03-01T11:00:00Z", 5400, "90:00"],
  ])("the countdown at %s shows %i s as %s", (now, seconds, text) => {
    expect(getSecondsLeft(until, Date.parse(now))).toBe(seconds);
    expect(formatCountdown(seconds)).toBe(text);
  });

  it("is announced once at five minutes and once at one minute", () => {
    const announced = [];
    for (let left = 400; left > 0; left--) announced.push(getMinutesToAnnounce(left, left - 1));
    expect(announced.filter(Boolean)).toEqual([5, 1]);
    // A tab that was suspended announces the remaining time, not the missed announcement.
    expect(getMinutesToAnnounce(400, 200)).toBe(5);
    expect(getMinutesToAnnounce(400, 40)).toBe(1);
    expect(getMinutesToAnnounce(400, 0)).toBeNull();
    expect(getMinutesToAnnounce(300, 299)).toBeNull();
  });

  it("shows times in China's time zone", () => {
    expect(formatDateTime("2027-03-01T16:14:59.999Z")).toBe("2027.03.02 00:14");
    expect(formatDateTime("2027-03-01T20:14:00+08:00")).toBe("2027.03.01 20:14");
  });
});

describe("the last change of an order in the list", () => {
  const at = "2027-03-02T00:00:00Z";
  const times = { created_at: at, paid_at: at, shipped_at: at, completed_at: null, closed_at: null };
  it.each([
    [{ carrier: "SF Express", tracking: "SF1" }, "SF Express, SF1"],
    [{ carrier: "Our own courier", tracking: "" }, "Our own courier"],
    [null, "Sent {date}"],
  ])("names carrier and number of a parcel, and no number of what the shop brings itself", (shipment, text) => {
    const order = { kind: "goods", status: "shipped", items: [], shipment, ...times } as const;
    expect(getLastChange(order, orderList["en-US"])).toEqual({ text, at });
  });

  it("of a paid pre-order is from when it is sent, until then", () => {
    const [ahead, past] = [1, -1].map((step) => new Date(Date.now() + step * 3600_000).toISOString());
    const describeChange = (ships_at?: string | null) =>
      getLastChange({ kind: "goods", status: "paid", items: [{ ships_at }], shipment: null, ...times }, orderList["en-US"]);
    expect(describeChange(ahead)).toEqual({ text: "Ships from {date}", at: ahead });
    for (const none of [past, null, undefined]) expect(describeChange(none)).toEqual({ text: "Paid {date}, being packed", at });
  });
});

describe("the order timeline", () => {
  const at = "2027-03-01T12:00:00Z";
  const past = (...states: ("pending" | "paid" | "shipped" | "completed" | "closed")[]) =>
    states.map((status) => ({ status, at }));
  it.each([
    [{ kind: "goods", status: "pending", timeline: past("pending") }, "pending! paid> shipped completed"],
    [{ kind: "goods", status: "paid", timeline: past("pending", "paid") }, "pending! paid! shipped> completed"],
    [
      { kind: "goods", status: "completed", timeline: past("pending", "paid", "shipped", "completed") },
      "pending! paid! shipped! completed!",
    ],
    [{ kind: "package", status: "pending", timeline: past("pending") }, "pending! paid>"],
    [{ kind: "package", status: "paid", timeline: past("pending", "paid") }, "pending! paid!"],
    [{ kind: "goods", status: "closed", timeline: past("pending", "closed") }, "pending! closed!"],
    [{ kind: "goods", status: "closed", timeline: past("pending", "paid", "closed") }, "pending! paid! closed!"],
  ] as const)("lists past steps, then future ones: %o", (order, expected) => {
    const steps = getSteps({ ...order, timeline: [...order.timeline] });
    expect(steps.map(({ status, at, next }) => status + (at ? "!" : "") + (next ? ">" : "")).join(" ")).toBe(expected);
  });

  it("dates a refund when the money has gone back", () => {
    const refund = { refund_fen: 1, requested_at: at, ended_at: "2027-03-05T12:00:00Z" };
    const getLast = (status: "succeeded" | "failed") =>
      getSteps({ kind: "goods", status: "closed", timeline: past("paid", "closed"), refund: { ...refund, status } }).at(-1)?.at;
    expect([getLast("succeeded"), getLast("failed")]).toEqual([refund.ended_at, at]);
  });
});

const pending = {
  status: "pending",
  close_reason: null,
  actions: { pay: true, rebuy: false },
  paid_at: null,
  pay_expire_at: "2027-03-01T12:30:00Z",
} as const;

it("the groups of the order list are what is to be paid, what is under way, and then by month what is over", () => {
  const over = { ...pending, actions: { pay: false, rebuy: true }, created_at: "2027-02-28T12:00:00Z" } as const;
  const orders = [
    { ...over, name: "cancelled", status: "closed", close_reason: "expired", cancelled_at: "2027-03-01T12:10:00Z" },
    { ...over, name: "completed", status: "completed", created_at: "2027-02-28T16:00:00Z" },
    { ...over, name: "shipped", status: "shipped" },
    { ...over, name: "overdue" },
    { ...over, name: "refunded", status: "closed", close_reason: "refunded" },
    { ...over, name: "due", actions: { pay: true, rebuy: false } },
    { ...over, name: "refund due", status: "closed", close_reason: "refund_due" },
  ] as const;
  expect(groupByUrgency(orders).map(({ month, list }) => [month, ...list.map(({ name }) => name)])).toEqual([
    ["", "due"],
    ["", "shipped", "overdue", "refund due"],
    ["2027.02", "cancelled", "refunded"],
    ["2027.03", "completed"],
  ]);
  expect(groupByUrgency([])).toEqual([]);
});

describe("the outcome of an order", () => {
  const refund = <Status extends string>(status: Status) =>
    ({ status, refund_fen: 100, requested_at: "2027-03-01T12:40:00Z", ended_at: null }) as const;
  it.each([
    [{}, "awaiting"],
    [{ actions: { pay: false, rebuy: false } }, "overdue"],
    [{ status: "paid", paid_at: "2027-03-01T12:29:00Z" }, "paid"],
    [{ status: "paid", paid_at: "2027-03-01T12:31:00Z" }, "late"],
    [{ status: "shipped", paid_at: "2027-03-01T12:31:00Z" }, "shipped"],
    [{ status: "closed", close_reason: "expired" }, "expired"],
    [{ status: "closed", close_reason: "refund_due" }, "refundDue"],
    [{ status: "closed", close_reason: "refund_due", refund: refund("processing") }, "refunding"],
    [{ status: "closed", close_reason: "refund_due", refund: refund("failed") }, "refundFailed"],
    [{ status: "closed", close_reason: "refunded", refund: refund("succeeded") }, "refunded"],
    [{ status: "closed", close_reason: "refunded" }, "refunded"],
  ] as const)("with %o is %s", (change, outcome) => {
    expect(getOutcome({ ...pending, ...change })).toBe(outcome);
  });
});

it.each([
  ["open", {}, false],
  ["paid", { status: "paid", paid_at: "2027-03-01T12:29:00Z" }, false],
  ["expired a moment ago", { status: "closed", close_reason: "expired" }, true],
  ["cancelled", { status: "closed", close_reason: "expired", cancelled_at: "2027-03-01T12:30:00Z" }, false],
  ["due for a refund", { status: "closed", close_reason: "refund_due" }, false],
  ["refunded", { status: "closed", close_reason: "refunded" }, false],
] as const)("a payment may still be found of an order that is %s: %o, %s", (_name, change, isPossible) => {
  const order = {
    ...pending,
    closed_at: "status" in change && change.status === "closed" ? pending.pay_expire_at : null,
    ...change,
  };
  const closed = Date.parse(pending.pay_expire_at);
  expect(canBePaidLate(order, closed + 1000)).toBe(isPossible);
  expect(canBePaidLate(order, closed + 6 * 3600_000)).toBe(false);
});

describe("the variant of a checkout", () => {
  const postage = { fen: 1200, free_from_fen: 19_900 };
  const toSku = (sku_uid: string, ...values: string[]) => ({ sku_uid, values, pay_fen: 1, stock: 1 });

  it("needs no uid where there is a single one", () => {
    const single = { info: createItem({ skus: [toSku("tee-s", "S")] }), postage };
    expect([findSkuByUid(single, "")?.sku_uid, findSkuByUid(single, "other")]).toEqual(["tee-s", undefined]);
  });

  const specs = [
    { name: "edition", values: ["black", "signed"] },
    { name: "delivery", values: ["home", "pick up"] },
  ];
  const skus = [
    toSku("black-home", "black", "home"),
    toSku("signed-home", "signed", "home"),
    toSku("black-pickup", "black", "pick up"),
  ];
  const twoSides = { info: createItem({ specs, skus }), postage };
  it.each([
    ["?sku=signed-home&quantity=1", "signed-home"],
    ["?spec-0=signed&spec-1=home", "signed-home"],
    ["?spec-0=black&spec-1=pick+up", "black-pickup"],
    ["?spec-0=signed&spec-1=pick+up", undefined],
    ["?spec-0=signed", undefined],
    ["?spec-0=&spec-1=", undefined],
    ["?quantity=1", undefined],
  ])("parse the options of a form sent without JavaScript, %j, as variant %s", (search, sku_uid) => {
    expect(findSkuByUid(twoSides, parseSkuUid(twoSides, search))?.sku_uid).toBe(sku_uid);
  });
});

describe("expiryAfter", () => {
  const info = createPackage({ uid: "listener", level: 1, days: 365 });
  const preview = { current_expires_at: null, new_expires_at: "2027-03-01T12:00:00.000Z" };
  it("returns the server's expiry for one package and adds its days for each further one", () => {
    expect(getExpiryAfter({ info, preview }, 1)).toBe("2027-03-01T12:00:00.000Z");
    expect(getExpiryAfter({ info, preview }, 3)).toBe("2029-02-28T12:00:00.000Z");
    expect(getExpiryAfter({ info, preview: null }, 1)).toBeNull();
    expect(getExpiryAfter({ info, preview: { current_expires_at: null, new_expires_at: null } }, 1)).toBeNull();
  });
});
