import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { miniProgram } from "#i18n/mini-program.ts";
import type { Order } from "#mini-program/calls.ts";
import { writeMiniProgram } from "#scripts/mini-program.ts";
import { type MiniProgramPage, openMiniProgram, type Phone } from "#tests/support/client/mini-program.ts";
import { createOrder, createPayServer, fail, type PayServer, prepayment } from "./pay-server.ts";

const folder = mkdtempSync(join(tmpdir(), "mini-program-"));
const accent = { light: "#00774a", dark: "#2be38e" };
beforeAll(() => writeMiniProgram({ origin: "https://shop.example", appid: "wx0123456789abcdef", name: "店", accent }, folder));
afterAll(() => rmSync(folder, { recursive: true }));

let server: PayServer;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  server = createPayServer();
});
afterEach(() => void vi.useRealTimers());

const scanned = { scene: "sn%3DM261129132151EBQ3ZTBV" };
const languages = [
  ["zh_CN", "zh-CN"],
  ["en", "en-US"],
] as const;

const open = (phone: Omit<Phone, "fetch"> = {}, query: Record<string, string> = scanned) =>
  openMiniProgram(folder, query, { fetch: (request) => server.fetch(request), ...phone });
/** Waits until an element has a text. */
const see = (page: MiniProgramPage, name: string, text: string) => vi.waitFor(() => expect(page.read(name)).toBe(text));
/** Lets time pass, and what it starts. */
async function pass(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1000);
  await new Promise(setImmediate);
}

describe.each(languages)("in WeChat's language %s", (language, locale) => {
  const t = miniProgram[locale];
  const pay = t.pay.replace("{sum}", "¥524");
  const fillSum = (text: string) => text.replace("{sum}", "¥524");

  it("shows what is paid, the sum and the time left by the server's clock, and one button", async () => {
    const page = open({ language });
    expect(page.read("heading")).toBe(t.loading);
    await see(page, "sum", "¥524");
    expect(page.read("kicker")).toBe(t.due);
    expect(page.read("clock")).toBe(t.timeLeft.replace("{minutes}", "12").replace("{seconds}", "05"));
    expect(page.read("title")).toBe("歌单帆布袋");
    expect(page.read("detail")).toBe("墨黑 / 大 × 2");
    expect(page.read("number")).toContain("M261129132151EBQ3ZTBV");
    expect(page.buttons()).toEqual([pay]);
    expect(page.title()).toBe("社交新体验");
    expect(server.requests).toEqual([
      { path: "/pay/wechat/order", language: locale, body: { order_sn: "M261129132151EBQ3ZTBV" } },
    ]);
  });

  it("is paid: WeChat confirms, then the page says where to go on and closes by a tap", async () => {
    const requestPayment = vi.fn(() => "ok");
    const page = open({ language, pay: requestPayment });
    await see(page, "sum", "¥524");
    page.tap(pay);
    await see(page, "heading", t.confirmingTitle);
    expect(page.read("body")).toBe(t.confirmingBody);
    const { trade_no, ...rest } = prepayment;
    expect(requestPayment.mock.calls).toEqual([[rest]]);
    expect(server.bodies("prepay")).toEqual([{ order_sn: "M261129132151EBQ3ZTBV", code: "code" }]);
    server.order = { ...server.order, state: "paid" };
    await pass(2);
    await see(page, "heading", t.paidTitle);
    expect(page.read("body")).toBe(fillSum(t.paidBody));
    expect(server.bodies("order").at(-1)).toEqual({ order_sn: "M261129132151EBQ3ZTBV", trade_no });
    page.tap(t.done);
    await vi.waitFor(() => expect(page.hasExited()).toBe(true));
    const count = server.requests.length;
    await pass(60);
    expect(server.requests).toHaveLength(count);
  });

  it.each([
    ["late", t.lateTitle, t.lateBody, [t.leave]],
    ["paid", t.paidTitle, t.paidBody, [t.done]],
    ["paid_twice", t.paidTwiceTitle, t.paidTwiceBody, [t.done]],
    ["closed", t.closedTitle, t.closedBody, [t.leave]],
    ["cancelled", t.cancelledTitle, t.cancelledBody, [t.leave]],
    ["refunded", t.refundedTitle, t.refundedBody, [t.done]],
  ] as const)("an order that is %s says so, and has a way on", async (state, title, body, buttons) => {
    server.order = createOrder(30, { state });
    const page = open({ language });
    await see(page, "heading", title);
    expect(page.read("body")).toBe(fillSum(body));
    expect(page.buttons()).toEqual(buttons);
  });

  it("opened without a number, it says what it is for, and asks nothing of the server", async () => {
    const page = open({ language }, {});
    expect(page.read("heading")).toBe(t.emptyTitle);
    expect(page.read("body")).toBe(t.emptyBody);
    expect(page.buttons()).toEqual([t.leave]);
    expect(server.requests).toEqual([]);
  });

  it("an unknown number says so", async () => {
    server.instead.order = [fail(10003)];
    const page = open({ language });
    await see(page, "heading", t.unknownTitle);
    expect(page.read("body")).toBe(t.unknownBody);
    expect(page.buttons()).toEqual([t.leave]);
  });

  it("a pass that a higher one has overtaken says so after the tap", async () => {
    server.instead.prepay = [fail(30004)];
    const page = open({ language });
    await see(page, "sum", "¥524");
    page.tap(pay);
    await see(page, "heading", t.overtakenTitle);
    expect(page.buttons()).toEqual([t.leave]);
  });

  it("what iPhones may not pay says so there, and nothing more; elsewhere it is payable", async () => {
    server.order = createOrder(725, { ios: false });
    const iphone = open({ language, platform: "ios" });
    await see(iphone, "heading", t.unsupportedTitle);
    expect(iphone.read("body")).toBe("");
    expect(iphone.buttons()).toEqual([t.leave]);
    iphone.close();
    await see(open({ language }), "sum", "¥524");
  });

  it("given up by the payer, it is payable again with a quiet line", async () => {
    const page = open({ language, pay: () => "fail cancel" });
    await see(page, "sum", "¥524");
    page.tap(pay);
    await see(page, "note", t.givenUp);
    expect(page.buttons()).toEqual([pay]);
    expect(server.bodies("order").at(-1)).toMatchObject({ trade_no: prepayment.trade_no });
  });

  it("a payment that failed says so, and can be tried again", async () => {
    const page = open({ language, pay: () => "fail system error" });
    await see(page, "sum", "¥524");
    page.tap(pay);
    await see(page, "heading", t.failedTitle);
    expect(page.read("body")).toBe(t.failedBody);
    expect(page.buttons()).toEqual([t.retry, t.leave]);
    page.tap(t.retry);
    await see(page, "sum", "¥524");
  });

  it.each([
    ["has no network", (one: PayServer) => void Object.assign(one, { isOffline: true }), t.offlineTitle, t.offlineBody],
    ["finds WeChat busy", (one: PayServer) => void one.instead.prepay.push(fail(40003)), t.busyTitle, t.busyBody],
    ["finds the server down", (one: PayServer) => void one.instead.prepay.push([502, "<html>"]), t.busyTitle, t.busyBody],
  ])("a tap that %s says so, and can be tried again", async (_, prepare, title, body) => {
    const page = open({ language });
    await see(page, "sum", "¥524");
    prepare(server);
    page.tap(pay);
    await see(page, "heading", title);
    expect(page.read("body")).toBe(body);
    server.isOffline = false;
    page.tap(t.retry);
    await see(page, "sum", "¥524");
  });

  it("a login code that WeChat refuses is replaced once; then the page says so", async () => {
    const codes = ["first", "second", "third"];
    const page = open({ language, login: () => codes.shift() ?? null, pay: () => "fail cancel" });
    await see(page, "sum", "¥524");
    server.instead.prepay = [fail(10002), fail(10002)];
    page.tap(pay);
    await see(page, "heading", t.loginTitle);
    expect(page.read("body")).toBe(t.loginBody);
    expect(server.bodies("prepay").map(({ code }) => code)).toEqual(["first", "second"]);
    page.tap(t.retry);
    await see(page, "sum", "¥524");
  });

  it("too many tries wait as long as the server says, then it tries again by itself", async () => {
    server.instead.order = [fail(10004, { retry_after: 65 }, 429)];
    const page = open({ language });
    await see(page, "heading", t.tooManyTitle);
    expect(page.read("body")).toBe(t.tooManyBody);
    expect(page.read("clock")).toBe(t.timeLeft.replace("{minutes}", "1").replace("{seconds}", "05"));
    await pass(60);
    expect(server.requests).toHaveLength(1);
    await pass(6);
    await see(page, "sum", "¥524");
  });

  it("while WeChat confirms for long, the page says that one may leave; without a network, that it goes on", async () => {
    const page = open({ language, pay: () => "ok" });
    await see(page, "sum", "¥524");
    page.tap(pay);
    await see(page, "heading", t.confirmingTitle);
    for (let second = 0; second < 34; second += 1) await pass(1);
    expect(page.read("body")).toBe(t.confirmingSlow);
    page.tap(t.leave);
    await vi.waitFor(() => expect(page.hasExited()).toBe(true));
    server.isOffline = true;
    for (let second = 0; second < 6; second += 1) await pass(1);
    expect(page.read("body")).toBe(t.confirmingLost);
    server.isOffline = false;
    server.order = { ...server.order, state: "paid_twice" };
    await pass(5);
    await see(page, "heading", t.paidTwiceTitle);
  });

  it("an order that closes on the way of a payment is not called unpaid, and can be checked again", async () => {
    const page = open({ language, pay: () => "ok" });
    await see(page, "sum", "¥524");
    server.order = { ...server.order, state: "closed" };
    page.tap(pay);
    await see(page, "heading", t.closedMeanwhileTitle);
    expect(page.read("body")).toBe(t.closedMeanwhileBody);
    server.order = { ...server.order, state: "refunded" };
    page.tap(t.check);
    await see(page, "heading", t.refundedTitle);
  });
});

const t = miniProgram["zh-CN"];

it("opens by a link with the number too", async () => {
  await see(open({}, { sn: "M261129132151EBQ3ZTBV" }), "sum", "¥524");
});

it("counts down each second; in the last minute it is too late, and after the end the server says what became of it", async () => {
  server.order = createOrder(62);
  const page = open();
  await see(page, "clock", "剩余 1 分 02 秒");
  await pass(1);
  expect(page.read("clock")).toBe("剩余 1 分 01 秒");
  await pass(2);
  await see(page, "heading", t.lateTitle);
  expect(server.requests).toHaveLength(1);
  server.order = { ...server.order, state: "closed" };
  await pass(60);
  await see(page, "heading", t.closedTitle);
});

it("an order that stays open after its end is read every ten seconds", async () => {
  server.order = createOrder(-5, { state: "late" });
  const page = open();
  await see(page, "heading", t.lateTitle);
  for (let second = 0; second < 29; second += 1) await pass(1);
  expect(server.requests).toHaveLength(3);
});

it.each([
  [40001, "closed", t.closedTitle],
  [40002, "paid", t.paidTitle],
] as const)("a tap that comes too late (%i) shows what the order has become", async (code, state, title) => {
  const page = open();
  await see(page, "sum", "¥524");
  server.instead.prepay = [fail(code, { ...server.order, state })];
  page.tap("微信支付 ¥524");
  await see(page, "heading", title);
});

it("two taps prepare one payment", async () => {
  const page = open({ pay: () => "fail cancel" });
  await see(page, "sum", "¥524");
  page.tap("微信支付 ¥524");
  page.tap("微信支付 ¥524");
  await see(page, "note", t.givenUp);
  expect(server.bodies("prepay")).toHaveLength(1);
});

it("asks every 2 s after a payment, only after the previous answer, and every 5 s after half a minute", async () => {
  const page = open({ pay: () => "ok" });
  await see(page, "sum", "¥524");
  page.tap("微信支付 ¥524");
  await see(page, "heading", t.confirmingTitle);
  let count = 0;
  const { fetch } = server;
  server.fetch = (request) => {
    count += 1;
    return fetch(request);
  };
  const countIn = async (seconds: number) => {
    count = 0;
    for (let second = 0; second < seconds; second += 1) await pass(1);
    return count;
  };
  expect(await countIn(20)).toBe(10);
  await countIn(15);
  expect(await countIn(20)).toBe(4);
  server.fetch = () => {
    count += 1;
    return new Promise(() => {});
  };
  expect(await countIn(30)).toBe(1);
});

it("asks nothing in the back, and at once when it comes to the front", async () => {
  const page = open({ pay: () => "ok" });
  await see(page, "sum", "¥524");
  page.tap("微信支付 ¥524");
  await see(page, "heading", t.confirmingTitle);
  page.hide();
  await pass(1);
  const before = server.requests.length;
  await pass(60);
  expect(server.requests).toHaveLength(before);
  server.order = { ...server.order, state: "paid" } satisfies Order;
  page.show();
  await see(page, "heading", t.paidTitle);
});

it("a query under way when the page goes to the back is neither followed by another there nor repeated in front", async () => {
  const page = open({ pay: () => "ok" });
  await see(page, "sum", "¥524");
  const { fetch } = server;
  const waiting: (() => void)[] = [];
  page.tap("微信支付 ¥524");
  await see(page, "heading", t.confirmingTitle);
  server.fetch = async (request) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return fetch(request);
  };
  for (let second = 0; second < 4; second += 1) await pass(1);
  page.hide();
  page.show();
  expect(waiting).toHaveLength(1);
  page.hide();
  waiting[0]?.();
  for (let second = 0; second < 9; second += 1) await pass(1);
  expect(waiting).toHaveLength(1);
});

it("an old answer does not undo a tap", async () => {
  const { fetch } = server;
  let release = () => {};
  const page = open({ pay: () => new Promise(() => {}) });
  await see(page, "sum", "¥524");
  server.fetch = async (request) => {
    if (request.url.endsWith("/order")) await new Promise<void>((resolve) => (release = resolve));
    return fetch(request);
  };
  page.hide();
  page.show();
  page.tap("微信支付 ¥524");
  await see(page, "note", t.preparing);
  release();
  await pass(1);
  expect(page.read("note")).toBe(t.preparing);
  expect(page.buttons()).toEqual([]);
});
