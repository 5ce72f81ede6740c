import { inflateSync } from "node:zlib";
import { eq } from "drizzle-orm";
import { encode } from "uqr";
import { expect, it } from "vitest";
import { goods, skus } from "../../server/db/schema/catalogue.ts";
import { payments } from "../../server/db/schema/payment.ts";
import { contract } from "../../src/api/contract.ts";
import { createBuyer, submitCashier } from "../support/client/order.ts";
import { setStock } from "../support/database/catalogue.ts";
import { describeOnEngines, type engines } from "../support/database/database.ts";
import { createTestServer, type TestServer } from "../support/processes/test-server.ts";

const halfAnHour = 30 * 60;
const getStock = async (server: TestServer) => (await server.db.select().from(skus).where(eq(skus.uid, "tote")))[0]?.stock;
const getSold = async (server: TestServer) => (await server.db.select().from(goods).where(eq(goods.uid, "tote")))[0]?.sold;

const qr = { ecc: "M", border: 4 } as const;

/** Decodes the modules of a QR code from a 1-bit greyscale PNG, each sampled at its centre. */
function decodeModules(png: Buffer): boolean[][] {
  const side = png.readUInt32BE(16);
  const at = png.indexOf("IDAT");
  const pixels = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const stride = 1 + Math.ceil(side / 8);
  const isDark = (x: number, y: number) => ((pixels[y * stride + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) === 0;
  // The finder pattern below the quiet zone starts with seven dark modules.
  const edge = Array.from({ length: side }, (_, x) => x).find((x) => isDark(x, x)) ?? 0;
  const scale = edge / qr.border;
  const middles = Array.from({ length: side / scale }, (_, n) => n * scale + scale / 2);
  return middles.map((y) => middles.map((x) => isDark(x, y)));
}

async function withOrder(engine: (typeof engines)[number], order: object = {}) {
  const server = await createTestServer(engine);
  const buyer = await createBuyer(server);
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
    expect(decodeModules(Buffer.from(one.image.split(",")[1] ?? "", "base64"))).toEqual(encode(one.link ?? "", qr).data);
    await buyer.pay(order_sn);
    expect(await buyer.sendPayCode(order_sn)).toMatchObject({ status: 200, code: 40002, data: null });
    const late = await buyer.order();
    server.advanceClock(halfAnHour);
    expect(await buyer.sendPayCode(late)).toMatchObject({ status: 200, code: 40001, data: null });
  });

  it("has a pay code that links to HOST_ORIGIN, or else to the origin of the request", async () => {
    const server = await createTestServer(engine, { env: { HOST_ORIGIN: "https://pay.example" } });
    const buyer = await createBuyer(server);
    expect((await buyer.payCode(await buyer.order())).link).toMatch(/^https:\/\/pay\.example\/cashier\//);
    const behind = await createTestServer(engine, { env: { TRUST_PROXY: "1" } });
    const other = await createBuyer(behind);
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
