import { describe, expect, it } from "vitest";
import { createCalls, type Order, orderStates } from "#mini-program/calls.ts";
import { parseTarget } from "#mini-program/opening.ts";
import { type Event, getCheckTime, next, type Screen } from "#mini-program/screen.ts";
import { formatSum, toLocale, toView } from "#mini-program/view.ts";
import { formatYuan } from "#src/lib/format.ts";

const order: Order = {
  order_sn: "M261129132151EBQ3ZTBV",
  title: "歌单帆布袋",
  spec: "",
  quantity: 1,
  pay_fen: 52_400,
  state: "payable",
  pay_expire_at: "2026-11-29T13:51:51.000Z",
  server_time: "2026-11-29T13:21:51.000Z",
  ios: true,
  shop: "社交新体验",
};
const halfHour = 1_800_000;

/** Returns the screen after events at the times given, in ms. */
const follow = (...events: Event[]) => events.reduce(next, { name: "loading" } satisfies Screen as Screen);
type Answered = Extract<Event, { type: "answered" }>;
const answer = (values: Partial<Order> = {}, at = 0, more: Partial<Answered> = {}): Answered => ({
  type: "answered",
  answer: { kind: "order", order: { ...order, ...values } },
  at,
  isIos: false,
  ...more,
});
const offline = (at: number) => ({ type: "answered", answer: { kind: "offline" }, at, isIos: false }) as const;
const sent = (at: number) => ({ type: "sent", tradeNo: "T", at }) as const;
const paying = [answer(), { type: "tapped" } as const, sent(0)];

it.each([
  [{ scene: "sn%3DM261129132151EBQ3ZTBV" }, "M261129132151EBQ3ZTBV"],
  [{ scene: "sn=M261129132151EBQ3ZTBV" }, "M261129132151EBQ3ZTBV"],
  [{ scene: "a%3D1%26sn%3DM2" }, "M2"],
  [{ sn: "M2", scene: "sn%3DM3" }, "M2"],
  [{ "sn%3DM2": "" }, "M2"],
  [{ "sn%3DM2": undefined }, "M2"],
  [{}, null],
  [{ scene: "" }, null],
  [{ scene: "%E0%A4%A" }, null],
  [{ scene: "xsn%3DM2" }, null],
  [{ sn: "../M2" }, null],
  [{ sn: "M".repeat(33) }, null],
])("the page is opened with %o for the order %s", (opening, orderSn) => {
  expect(parseTarget(opening)?.orderSn ?? null).toBe(orderSn);
});

it.each([
  ["WeChat's order centre", { sn: "M261129132151EBQ3ZTBV-2" }],
  ["a parcel", { transaction_id: "4200", merchant_id: "19", merchant_trade_no: "M261129132151EBQ3ZTBV-2" }],
])("the message of %s opens the payment of another payer", (_what, opening) => {
  expect(parseTarget(opening)).toEqual({ orderSn: "M261129132151EBQ3ZTBV", tradeNo: "M261129132151EBQ3ZTBV-2" });
  expect(parseTarget({ sn: "M261129132151EBQ3ZTBV" })?.tradeNo).toBeUndefined();
});

it.each([
  ["zh_CN", "zh-CN"],
  ["zh_TW", "zh-CN"],
  ["zh", "zh-CN"],
  ["en", "en-US"],
  ["ja", "en-US"],
  ["zha", "en-US"],
])("WeChat's language %s is %s", (language, locale) => {
  expect(toLocale(language)).toBe(locale);
});

it.each([0, 1, 100, 52_400, 52_450, 100_000, 123_456_789])("writes %i fen as the site does", (fen) => {
  expect(formatSum(fen)).toBe(formatYuan(fen));
});

describe("the time left", () => {
  it("is the server's, whatever the phone's clock says", () => {
    expect(follow(answer({}, 5000))).toMatchObject({ name: "payable", expiresAt: 5000 + halfHour });
  });

  it("is too little within the last minute, and not before", () => {
    expect(follow(answer(), { type: "ticked", at: halfHour - 60_000 }).name).toBe("payable");
    expect(follow(answer(), { type: "ticked", at: halfHour - 59_999 })).toMatchObject({ name: "late", checkAt: halfHour });
  });

  it("does not end a payment that is being prepared", () => {
    expect(follow(answer(), { type: "tapped" }, { type: "ticked", at: halfHour }).name).toBe("preparing");
  });
});

describe("after WeChat has taken a payment", () => {
  it.each(["payable", "late"] as const)("an order that is still %s is under way", (state) => {
    expect(follow(...paying, answer({ state }, 1000))).toMatchObject({ name: "confirming", progress: "usual", checkAt: 3000 });
  });

  it("nothing but the server's word ends it", () => {
    const refusals = (["offline", "busy", "unknown", "login"] as const).map(
      (kind) => ({ type: "answered", answer: { kind }, at: 1000, isIos: true }) as const,
    );
    expect(follow(...paying, ...refusals).name).toBe("confirming");
  });

  it("is slow after 30 s, and queried every 5 s", () => {
    expect(follow(...paying, answer({}, 29_999))).toMatchObject({ progress: "usual", checkAt: 31_999 });
    expect(follow(...paying, answer({}, 30_000))).toMatchObject({ progress: "slow", checkAt: 35_000 });
  });

  it("without a network it says so until there is one", () => {
    expect(follow(...paying, offline(1000))).toMatchObject({ name: "confirming", progress: "offline" });
    expect(follow(...paying, offline(1000), answer({}, 3000))).toMatchObject({ progress: "usual" });
  });

  it("waits as long as a server that is asked too often says", () => {
    const tooMany = { type: "answered", answer: { kind: "tooMany", retryAfter: 40 }, at: 1000, isIos: false } as const;
    expect(getCheckTime(follow(...paying, tooMany))).toBe(41_000);
  });

  it("an order that has closed meanwhile may still be paid", () => {
    const closed = follow(...paying, answer({ state: "closed" }, 1000));
    expect(closed).toMatchObject({ name: "closedMeanwhile", tradeNo: "T" });
    const again = next(closed, { type: "retried", at: 9000 });
    expect(again).toMatchObject({ name: "confirming", tradeNo: "T", since: 9000 });
    expect(next(again, answer({ state: "paid" }, 9500)).name).toBe("paid");
  });

  it("a payment without a tap changes nothing", () => {
    expect(follow(answer(), sent(0)).name).toBe("payable");
    expect(follow(answer({ state: "closed" }), { type: "tapped" }, sent(0)).name).toBe("closed");
  });
});

describe("the answers of the server", () => {
  const respond = (response: unknown) => createCalls(() => Promise.resolve(response));
  const envelope = (code: number, data: unknown = null) => respond({ code, msg: "", data });

  it.each(orderStates)("an order that is %s is read", async (state) => {
    const data = { ...order, state };
    expect(await envelope(1, data).readOrder("M2")).toEqual({ kind: "order", order: data });
  });

  it.each([
    ["nothing", null],
    ["HTML", "<html>"],
    ["half an envelope", { code: 1 }],
    ["no order", { code: 1, msg: "", data: {} }],
    ["an unknown state", { code: 1, msg: "", data: { ...order, state: "lost" } }],
    ["a sum that is text", { code: 1, msg: "", data: { ...order, pay_fen: "524" } }],
  ])("%s instead of an order is a server that does not work", async (_, response) => {
    const answer = await respond(response).readOrder("M2");
    expect(answer.kind).toBe(response === null ? "offline" : "busy");
  });

  it.each([
    [10003, { kind: "unknown" }],
    [10002, { kind: "unknown" }],
    [10500, { kind: "busy" }],
    [10503, { kind: "busy" }],
    [40003, { kind: "busy" }],
    [10004, { kind: "tooMany", retryAfter: 60 }],
  ])("code %i for an order is %o", async (code, failure) => {
    expect(await envelope(code).readOrder("M2")).toEqual(failure);
  });

  it("a payment without all of its parameters, or with another signature, is not begun", async () => {
    const data = { trade_no: "T", timeStamp: "1", nonceStr: "n", package: "prepay_id=1", signType: "RSA", paySign: "s" };
    expect(await envelope(1, data).prepay("M2", "code")).toEqual({ kind: "prepayment", prepayment: data });
    expect(await envelope(1, { ...data, paySign: undefined }).prepay("M2", "code")).toEqual({ kind: "busy" });
    expect(await envelope(1, { ...data, signType: "MD5" }).prepay("M2", "code")).toEqual({ kind: "busy" });
  });
});

it("every screen has a heading in both languages, and a way on unless it waits for an answer", () => {
  const screens = new Map<string, Screen>();
  const add = (screen: Screen) => screens.set(screen.name, screen);
  add({ name: "empty" });
  for (const state of orderStates) add(follow(answer({ state })));
  add(follow(answer({ ios: false }, 0, { isIos: true })));
  add(follow(answer({}, 0, { after: "failed" })));
  for (const kind of ["offline", "busy", "unknown", "login"] as const)
    add(follow({ type: "refused", failure: { kind }, at: 0 }));
  add(follow({ type: "refused", failure: { kind: "tooMany", retryAfter: 9 }, at: 0 }));
  add(follow(...paying));
  add(follow(...paying, answer({ state: "cancelled" })));
  expect(screens.size).toBe(17);
  for (const [name, screen] of screens) {
    const [chinese, english] = [toView(screen, "zh-CN", 0), toView(screen, "en-US", 0)];
    expect(chinese.heading, name).toMatch(/\p{Script=Han}/u);
    expect(english.heading, name).toMatch(/^[A-Z]/);
    for (const view of [chinese, english]) {
      expect(JSON.stringify(view), name).not.toMatch(/\{\w+\}/);
      expect(view.action || view.leave, name).not.toBe("");
    }
  }
});
