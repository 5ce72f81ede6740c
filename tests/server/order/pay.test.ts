import { eq } from "drizzle-orm";
import sharp from "sharp";
import { encode } from "uqr";
import { expect, it } from "vitest";
import { goods, skus } from "#server/db/schema/catalogue.ts";
import { payments } from "#server/db/schema/payment.ts";
import { contract } from "#src/api/contract.ts";
import { submitCashier, withBuyer } from "#tests/support/client/order.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { setStock } from "#tests/support/database/catalogue.ts";
import { describeOnEngines, type engines } from "#tests/support/database/database.ts";
import type { TestServer } from "#tests/support/processes/test-server.ts";
import { transaction } from "#tests/support/stubs/wechat/transaction.ts";

const halfAnHour = 30 * 60;
const getStock = async (server: TestServer) => (await server.db.select().from(skus).where(eq(skus.uid, "tote")))[0]?.stock;
const getSold = async (server: TestServer) => (await server.db.select().from(goods).where(eq(goods.uid, "tote")))[0]?.sold;
const qr = { ecc: "M", border: 4 } as const;

/** Decodes the modules of a QR code from a PNG, each sampled at its centre. */
async function decodeModules(png: Buffer): Promise<boolean[][]> {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  const side = info.width;
  const isDark = (x: number, y: number) => (data[y * side + x] ?? 0) < 128;
  // The finder pattern below the quiet zone starts with seven dark modules.
  const edge = Array.from({ length: side }, (_, x) => x).find((x) => isDark(x, x)) ?? 0;
  const scale = edge / qr.border;
  const middles = Array.from({ length: side / scale }, (_, n) => n * scale + scale / 2);
  return middles.map((y) => middles.map((x) => isDark(x, y)));
}

async function withOrder(engine: (typeof engines)[number], order: object = {}) {
  const { server, buyer } = await withBuyer(engine);
  const order_sn = await buyer.order(order);
  const info = () => buyer.info(order_sn);
  return { server, buyer, order_sn, info };
}

describeOnEngines("an unpaid order on %s", (engine) => {
  it.each(["a read", "a list", "the scheduler's run", "a request for its pay code"])(
    "closes after half an hour on %s and returns its stock once",
    async (by) => {
      const { server, buyer, order_sn, info } = await withOrder(engine, { quantity: 3, expected_pay_fen: 29_400 });
      server.advanceClock(halfAnHour - 1);
      await server.runScheduler();
      expect((await info()).status).toBe("pending");
      expect(await getStock(server)).toBe(237);
      server.advanceClock(1);
      if (by === "a list") await buyer.call(contract.mallOrderList, { page: 1, page_size: 5 });
      if (by === "the scheduler's run") await server.runScheduler();
      if (by === "a request for its pay code") expect((await buyer.sendPayCode(order_sn)).code).toBe(40001);
      const closed = await info();
      expect(closed).toMatchObject({
        status: "closed",
        close_reason: "expired",
        closed_at: server.now().toISOString(),
        paid_at: null,
        actions: { pay: false, rebuy: true },
      });
      expect(closed.timeline.map(({ status }: { status: string }) => status)).toEqual(["pending", "closed"]);
      await server.runScheduler();
      await info();
      expect(await getStock(server)).toBe(240);
    },
  );

  it("offers to buy again only what is on sale: item, variant and stock", async () => {
    const { server, buyer, order_sn, info } = await withOrder(engine);
    await buyer.pay(order_sn);
    const canRebuy = async () => (await info()).actions.rebuy;
    expect(await canRebuy()).toBe(true);
    await server.db.update(skus).set({ onSale: false });
    expect(await canRebuy()).toBe(false);
    await server.db.update(skus).set({ onSale: true });
    await setStock(server.db, "skus", "tote", 0);
    expect(await canRebuy()).toBe(false);
    await setStock(server.db, "skus", "tote", 1);
    expect(await canRebuy()).toBe(true);
    await server.db.update(goods).set({ onSale: false });
    expect(await canRebuy()).toBe(false);
  });

  it("has one pay code, and none once it is closed or paid", async () => {
    const { server, buyer, order_sn } = await withOrder(engine);
    const [one, other] = await Promise.all([buyer.payCode(order_sn), buyer.payCode(order_sn)]);
    expect(one).toEqual(other);
    expect(one.image).toMatch(/^data:image\/png;base64,/);
    const png = Buffer.from(one.image.split(",")[1] ?? "", "base64");
    expect(await decodeModules(png)).toEqual(encode(one.link ?? "", qr).data);
    await buyer.pay(order_sn);
    expect(await buyer.sendPayCode(order_sn)).toMatchObject({ status: 200, code: 40002, data: null });
    const late = await buyer.order();
    server.advanceClock(halfAnHour);
    expect(await buyer.sendPayCode(late)).toMatchObject({ status: 200, code: 40001, data: null });
  });

  it("has a pay code that links to HOST_ORIGIN, or else to the origin of the request", async () => {
    const { buyer } = await withBuyer(engine, { env: { HOST_ORIGIN: "https://pay.example" } });
    expect((await buyer.payCode(await buyer.order())).link).toMatch(/^https:\/\/pay\.example\/cashier\//);
    const { buyer: other } = await withBuyer(engine, { env: { TRUST_PROXY: "1" } });
    const headers = { "x-forwarded-proto": "https" };
    const { link } = await other.payCode(await other.order(), { headers, from: "127.0.0.1" });
    expect(link).toMatch(/^https:\/\/host\.test\/cashier\//);
  });
});

describeOnEngines("the sandbox cashier on %s", (engine) => {
  it("records one payment for ten concurrent requests", async () => {
    const { server, buyer, order_sn, info } = await withOrder(engine, { quantity: 2, expected_pay_fen: 20_800 });
    const path = await buyer.cashier(order_sn);
    const responses = await Promise.all(Array.from({ length: 10 }, () => submitCashier(server, path, "pay")));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(303));
    expect(await info()).toMatchObject({ status: "paid", close_reason: null });
    expect(await server.db.select().from(payments)).toHaveLength(1);
    expect([await getStock(server), await getSold(server)]).toEqual([238, 520]);
    server.advanceClock(halfAnHour);
    await server.runScheduler();
    expect((await info()).status).toBe("paid");
  });

  it("leaves the order pending after a failed payment", async () => {
    const { server, buyer, order_sn, info } = await withOrder(engine);
    const path = await buyer.cashier(order_sn);
    const failed = await submitCashier(server, path, "fail");
    expect(failed.headers.get("location")).toMatch(/\?lang=en-US&failed$/);
    const page = await server.fetch(new Request(`http://host.test${failed.headers.get("location")}`));
    expect(await page.text()).toContain("That payment failed");
    expect((await info()).status).toBe("pending");
    await submitCashier(server, path, "nonsense");
    expect((await info()).status).toBe("pending");
    await submitCashier(server, path, "pay");
    expect((await info()).status).toBe("paid");
  });

  it("expires the order, which can still be paid late", async () => {
    const { server, buyer, order_sn, info } = await withOrder(engine);
    const cashier = await buyer.cashier(order_sn);
    await submitCashier(server, cashier, "expire");
    expect(await info()).toMatchObject({ status: "closed", close_reason: "expired", paid_at: null });
    expect([await getStock(server), await getSold(server)]).toEqual([240, 518]);
    await submitCashier(server, cashier, "late");
    expect(await info()).toMatchObject({ status: "paid", close_reason: null });
  });

  it("reopens the order on a late payment while there is stock", async () => {
    const { server, buyer, order_sn, info } = await withOrder(engine);
    await submitCashier(server, await buyer.cashier(order_sn), "late");
    expect(await info()).toMatchObject({ status: "paid", close_reason: null, closed_at: null });
    expect([await getStock(server), await getSold(server)]).toEqual([239, 519]);
  });

  it.each([
    ["stock", { stock: 0 }, {}],
    ["the limit", {}, { quantity: 5, expected_pay_fen: 49_000 }],
  ])("marks a late payment as due for refund and sells nothing when %s does not suffice", async (_what, left, again) => {
    const { server, buyer, order_sn, info } = await withOrder(engine);
    const path = await buyer.cashier(order_sn);
    server.advanceClock(halfAnHour);
    await server.runScheduler();
    if ("stock" in left) await setStock(server.db, "skus", "tote", left.stock ?? 0);
    else await buyer.order(again);
    const before = [await getStock(server), await getSold(server)];
    const closed_at = (await info()).closed_at;
    server.advanceClock(60);
    for (let times = 0; times < 2; times += 1) await submitCashier(server, path, "pay");
    expect(await info()).toMatchObject({
      status: "closed",
      close_reason: "refund_due",
      closed_at,
      paid_at: server.now().toISOString(),
      actions: { pay: false },
    });
    expect((await info()).timeline).toHaveLength(2);
    expect([await getStock(server), await getSold(server)]).toEqual(before);
    expect(await server.db.select().from(payments)).toHaveLength(1);
    expect((await buyer.sendPayCode(order_sn)).code).toBe(40001);
  });

  it("renders a page in both languages without scripts or external resources, at an unguessable URL", async () => {
    const { server, buyer, order_sn } = await withOrder(engine);
    const path = await buyer.cashier(order_sn);
    const getPage = async (query: string, locale: string, at = path) => {
      const page = await server.fetch(new Request(`http://host.test${at}${query}`, { headers: { "accept-language": locale } }));
      return { status: page.status, headers: page.headers, html: await page.text() };
    };
    const english = await getPage("", "en-US");
    expect(english.html).toContain('<html lang="en-US">');
    for (const text of ["¥110.00", order_sn, "Pay by"]) expect(english.html).toContain(text);
    expect((await getPage("", "zh-CN")).html).toContain("付款");
    expect((await getPage("?lang=zh-CN", "en-US")).html).toContain('<html lang="zh-CN">');
    expect(english.html).not.toMatch(/<script|style=|\son\w+=|src=|https?:/);
    const policy = english.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'self';/);
    expect(english.headers.get("cache-control")).toBe("no-store");
    expect(english.headers.get("content-type")).toMatch(/^text\/html/);
    for (const wrong of ["/cashier/x", "/cashier/%00", `/cashier/${"a".repeat(43)}`]) {
      const unknown = await getPage("", "en-US", wrong);
      expect([unknown.status, unknown.html.includes("There is no such cashier page")]).toEqual([404, true]);
      expect((await submitCashier(server, wrong, "pay")).status).toBe(404);
    }
    await buyer.pay(order_sn);
    expect((await getPage("", "en-US")).html).toContain(`href="/en-US/mall/order/${order_sn}"`);
    expect((await getPage("", "zh-CN")).html).toContain(`href="/mall/order/${order_sn}"`);
  });
});

const servers = prepareWechatServers();

const accepted = { status: 200, code: "SUCCESS" };

describeOnEngines("an unmatched payment on %s", (engine) => {
  it("is stored once and listed until handled: unknown order, wrong amount, order paid before", async () => {
    const { server, buyer, post } = await servers().withBuyer(engine);
    const order_sn = await buyer.order();
    expect(await server.runOrdersCommand("unmatched")).toBe("Every payment matches an order.");
    const unknown = transaction("M2601020304050000000A", 4_000_000_000);
    const [less, second] = [transaction(order_sn, 10_999), transaction(order_sn, 11_000)];
    for (let times = 0; times < 2; times += 1) {
      expect(await post(servers().wechat.notice(unknown))).toEqual(accepted);
      expect(await post(servers().wechat.notice(less))).toEqual(accepted);
    }
    expect(await buyer.info(order_sn)).toMatchObject({ status: "pending", paid_at: null });
    expect(await post(servers().wechat.notice(transaction(order_sn, 11_000)))).toEqual(accepted);
    server.advanceClock(1);
    expect(await post(servers().wechat.notice(second))).toEqual(accepted);
    expect((await buyer.info(order_sn)).status).toBe("paid");
    const lines = (await server.runOrdersCommand("unmatched")).split("\n");
    const paidAt = "2026-01-02T10:34:56+08:00";
    expect(lines.toSorted()).toEqual(
      [
        `${unknown.transaction_id}  ¥40000000.00  ${paidAt}  for M2601020304050000000A  there is no such order`,
        `${less.transaction_id}  ¥109.99  ${paidAt}  for ${order_sn}  the order costs a different amount`,
        `${second.transaction_id}  ¥110.00  ${paidAt}  for ${order_sn}  the order was already paid`,
      ].toSorted(),
    );
    expect(await server.runOrdersCommand("list")).toMatch(/\nPayments that match no order: 3 \(npm run orders -- unmatched\)$/);
    expect(await server.runOrdersCommand("unmatched", less.transaction_id)).toMatch(/^npm run orders/);
    expect(await server.runOrdersCommand("unmatched", less.transaction_id, "--handled", "yes")).toBe(
      `${less.transaction_id} is handled.`,
    );
    expect(await server.runOrdersCommand("unmatched", less.transaction_id, "--handled", "yes")).toMatch(
      /^There is no unhandled payment/,
    );
    expect((await server.runOrdersCommand("unmatched")).split("\n")).toHaveLength(2);
    // A repeated notice does not reopen a handled payment.
    await post(servers().wechat.notice(less));
    expect((await server.runOrdersCommand("unmatched")).split("\n")).toHaveLength(2);
  });

  it("is stored when a query finds it, and the order closes unpaid", async () => {
    const { server, buyer } = await servers().withBuyer(engine);
    const order_sn = await buyer.order();
    servers().pay(order_sn, 1);
    server.advanceClock(30 * 60);
    await server.runScheduler();
    expect(await buyer.info(order_sn)).toMatchObject({ status: "closed", close_reason: "expired", paid_at: null });
    expect(await server.runOrdersCommand("unmatched")).toContain(`for ${order_sn}  the order costs a different amount`);
    const queries = servers().wechat.requests.queries.length;
    await server.runScheduler();
    expect(servers().wechat.requests.queries).toHaveLength(queries);
  });
});

describeOnEngines("a notice that the server does not handle on %s", (engine) => {
  const complaint = {
    complaint_id: "200201820200101080076610000",
    action_type: "CREATE_COMPLAINT",
    out_trade_no: "M2601020304050000000A",
    complaint_detail: "没收到\u{1b}[2J货\n",
    payer_phone: "x".repeat(344),
  };

  it.each([
    ["COMPLAINT.CREATE", complaint],
    ["COMPLAINT.STATE_CHANGE", complaint],
    ["PAYSCORE.USER_PAID", { out_order_no: "1" }],
  ])("%s is kept once, and listed until it is handled", async (event, content) => {
    const { server, post } = await servers().withBuyer(engine);
    const notice = servers().wechat.notice(content, { event });
    for (let times = 0; times < 2; times += 1) expect(await post(notice)).toEqual({ status: 200, code: "SUCCESS" });
    const { id } = JSON.parse(notice.body);
    const line = await server.runOrdersCommand("unmatched");
    const [name, value] = Object.entries(content)[0] ?? [];
    expect(line.split("\n")).toEqual([expect.stringMatching(`^${id}  ${event}  .*${name}: ${value}`)]);
    expect(line).not.toMatch(/\p{Cc}|payer_phone/u);
    expect(await server.runOrdersCommand("list")).toMatch(
      /\nNotices that nobody has handled: 1 \(npm run orders -- unmatched\)$/,
    );
    expect(await server.runOrdersCommand("unmatched", id, "--handled", "yes")).toBe(`${id} is handled.`);
    await post(notice);
    expect(await server.runOrdersCommand("unmatched")).toBe("Every payment matches an order.");
  });

  it("is kept as it is when its content has another form, and refused when it is encrypted with another key", async () => {
    const { server, post } = await servers().withBuyer(engine);
    const other = servers().wechat.notice({}, { event: "MERCHANT.NOTICE", resource: { algorithm: "SM4" } });
    expect(await post(other)).toEqual({ status: 200, code: "SUCCESS" });
    expect(await server.runOrdersCommand("unmatched")).toContain("MERCHANT.NOTICE");
    const sealed = servers().wechat.notice(complaint, { event: "COMPLAINT.CREATE", apiv3Key: "x".repeat(32) });
    expect(await post(sealed)).toEqual({ status: 400, code: "FAIL" });
  });
});
