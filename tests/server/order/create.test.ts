import { eq } from "drizzle-orm";
import * as v from "valibot";
import { expect, it } from "vitest";
import { goods, skus } from "#server/db/schema/catalogue.ts";
import { orderItems, orders } from "#server/db/schema/order.ts";
import { contract } from "#src/api/contract.ts";
import { client } from "#tests/support/client/client.ts";
import { addressPayload, createBuyer, newRequestId, submitCashier, withBuyer } from "#tests/support/client/order.ts";
import { setStock } from "#tests/support/database/catalogue.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import type { TestServer } from "#tests/support/processes/test-server.ts";

const priceChanged = v.object({ pay_fen: v.number() });

const stock = async (server: TestServer, sku_uid = "tote") =>
  (await client(server).call(contract.goodsLists)).list.flatMap(({ skus }) => skus).find((sku) => sku.sku_uid === sku_uid)
    ?.stock;

describeOnEngines("an order on %s", (engine) => {
  it("contains items, address, postage, deadline and timeline from creation to payment", async () => {
    const { server, buyer } = await withBuyer(engine);
    const order_sn = await buyer.order({ quantity: 2, expected_pay_fen: 19_600 + 1200, note: " 放门口 " });
    expect(order_sn).toMatch(/^M\d{12}[0-9A-HJKMNP-TV-Z]{8}$/);
    const { info, server_time } = await buyer.call(contract.mallOrderInfo, { order_sn });
    expect(server_time).toBe(server.now().toISOString());
    expect(info).toEqual({
      order_sn,
      kind: "goods",
      status: "pending",
      close_reason: null,
      items: [
        {
          uid: "tote",
          sku_uid: "tote",
          title: "Setlist tote",
          spec: "",
          pay_fen: 9800,
          quantity: 2,
          image: { url: expect.stringMatching(/^\/pictures\/.*\.svg$/), width: 600, height: 600, alt: "Setlist tote" },
        },
      ],
      goods_fen: 19_600,
      postage_fen: 1200,
      pay_fen: 20_800,
      note: "放门口",
      shipment: null,
      address: {
        name: "小满",
        mobile: "13800138000",
        region_code: "310104",
        detail: "龙腾大道 1 号",
        province: "上海市",
        city: "",
        district: "徐汇区",
      },
      created_at: server_time,
      pay_expire_at: new Date(server.now().getTime() + 30 * 60_000).toISOString(),
      paid_at: null,
      shipped_at: null,
      completed_at: null,
      closed_at: null,
      timeline: [{ status: "pending", at: server_time }],
      actions: { pay: true, rebuy: false, cancel: true },
    });
    const code = await buyer.payCode(order_sn);
    expect(code).toMatchObject({ mode: "sandbox", order_sn, pay_fen: 20_800, expires_at: info.pay_expire_at, server_time });
    expect(code.link).toMatch(/^http:\/\/host\.test\/cashier\/[\w-]{43}\?lang=(zh-CN|en-US)$/);

    server.advanceClock(60);
    const paying = await submitCashier(server, new URL(code.link ?? "").pathname, "pay");
    expect(paying.status).toBe(303);
    const paid = await buyer.info(order_sn);
    const paid_at = server.now().toISOString();
    expect(paid).toMatchObject({ status: "paid", paid_at, actions: { pay: false, rebuy: true } });
    expect(paid.timeline).toEqual([...info.timeline, { status: "paid", at: paid_at }]);
  });

  it("has postage of ¥12 below ¥199, and none from ¥199 or with a membership that includes postage", async () => {
    const { server, buyer } = await withBuyer(engine);
    const tee = { goods_uid: "tee-matinee", sku_uid: "tee-matinee-m" };
    const price = async (changes: object) => {
      const { data } = await buyer.sendOrder({ ...changes, expected_pay_fen: 0 });
      return v.parse(priceChanged, data).pay_fen;
    };
    expect(await price(tee)).toBe(19_800 + 1200);
    await server.db.update(skus).set({ payFen: 19_900 }).where(eq(skus.uid, tee.sku_uid));
    expect(await price(tee)).toBe(19_900);
    expect(await price({ quantity: 2 })).toBe(20_800);
    expect(await price({ quantity: 3 })).toBe(29_400);
    await buyer.buyPackage({ uid: "regular", expected_pay_fen: 29_800 });
    expect(await price({ quantity: 1 })).toBe(9800);
    await buyer.order({ expected_pay_fen: 9800 });
  });

  it.each([
    ["a variant of another item", { sku_uid: "print" }, 10003],
    ["an invalid address id", { address_id: "home" }, 10003],
    ["a variant that is sold out", { goods_uid: "tee", sku_uid: "tee-m", expected_pay_fen: 20_000 }, 30001],
    ["more than the member's limit", { quantity: 6, expected_pay_fen: 58_800 }, 30002],
    ["a note that is too long", { note: "x".repeat(201) }, 10002],
    ["a negative price", { expected_pay_fen: -1 }, 10002],
  ])("is rejected for %s", async (_what, changes, code) => {
    const { server, buyer } = await withBuyer(engine);
    expect(await buyer.sendOrder(changes)).toMatchObject({ status: 200, code });
    expect(await server.db.select().from(orders)).toEqual([]);
    expect(await server.db.select().from(orderItems)).toEqual([]);
  });

  it("is rejected for an item that is not on sale and for more than the stock", async () => {
    const { server, buyer } = await withBuyer(engine);
    await setStock(server.db, "skus", "tote", 3);
    expect((await buyer.sendOrder({ quantity: 4, expected_pay_fen: 39_200 })).code).toBe(30001);
    await buyer.order({ quantity: 3, expected_pay_fen: 29_400 });
    expect(await stock(server)).toBe(0);
    await server.db.update(goods).set({ onSale: false }).where(eq(goods.uid, "print"));
    expect((await buyer.sendOrder({ goods_uid: "print", sku_uid: "print", expected_pay_fen: 7000 })).code).toBe(30004);
  });

  it("counts against the member's limit until it is closed", async () => {
    const { server, buyer } = await withBuyer(engine);
    const three = { quantity: 3, expected_pay_fen: 29_400 };
    const first = await buyer.order(three);
    expect((await buyer.sendOrder(three)).code).toBe(30002);
    await buyer.order({ quantity: 2, expected_pay_fen: 20_800 });
    await buyer.pay(first);
    // The two unpaid totes are overdue but not yet closed; the three paid ones count.
    server.advanceClock(31 * 60);
    expect((await buyer.sendOrder(three)).code).toBe(30002);
    await buyer.order({ quantity: 2, expected_pay_fen: 20_800 });
    await (await createBuyer(server)).order(three);
  });

  it("returns the first order when the same client_request_id is sent again within a day by the same member", async () => {
    const { server, buyer } = await withBuyer(engine);
    const payload = buyer.itemPayload({ note: "a" });
    const create = (body: object) => buyer.send(contract.mallCreateOrder, body);
    const first = await create(payload);
    expect(first).toMatchObject({ status: 200, code: 1 });
    await server.db.update(skus).set({ payFen: 9900 }).where(eq(skus.uid, "tote"));
    expect((await create(payload)).text).toBe(first.text);
    expect((await create({ ...payload, unknown: 1 })).text).toBe(first.text);
    for (const other of [{ quantity: 2 }, { note: "b" }, { expected_pay_fen: 11_100 }, { sku_uid: "x" }]) {
      expect(await create({ ...payload, ...other })).toMatchObject({ status: 200, code: 10005, data: null });
    }
    const { client_request_id } = payload;
    expect((await buyer.sendPackageOrder({ client_request_id })).code).toBe(10005);
    const other = await createBuyer(server);
    await other.order({ client_request_id, expected_pay_fen: 11_100 });
    server.advanceClock(24 * 3600 - 1);
    await server.runScheduler();
    expect((await create(payload)).text).toBe(first.text);
    server.advanceClock(1);
    const next = await buyer.call(contract.mallCreateOrder, { ...payload, expected_pay_fen: 11_100 });
    expect(first.data).not.toEqual(next);
  });

  it("accepts a client_request_id again after a refused order", async () => {
    const { buyer } = await withBuyer(engine);
    const client_request_id = newRequestId();
    expect((await buyer.sendOrder({ client_request_id, expected_pay_fen: 0 })).code).toBe(30003);
    await buyer.order({ client_request_id });
  });

  it("does not change when address, title or price change later", async () => {
    const { server, buyer } = await withBuyer(engine);
    const order_sn = await buyer.order({ goods_uid: "tee", sku_uid: "tee-s", expected_pay_fen: 20_000 });
    const before = await buyer.send(contract.mallOrderInfo, { order_sn });
    expect((await buyer.info(order_sn)).items[0]).toMatchObject({ title: "12.9W tee", spec: "Size: S", pay_fen: 18_800 });
    await buyer.call(contract.addressUp, {
      ...addressPayload,
      address_id: buyer.address_id,
      region_code: "441900",
      name: "别人",
    });
    await buyer.call(contract.addressDel, { address_id: buyer.address_id });
    const renamed = { "zh-CN": "新", "en-US": "New" };
    await server.db
      .update(goods)
      .set({ title: renamed, images: { "zh-CN": [], "en-US": [] } })
      .where(eq(goods.uid, "tee"));
    await server.db.update(skus).set({ payFen: 1 }).where(eq(skus.uid, "tee-s"));
    expect((await buyer.send(contract.mallOrderInfo, { order_sn })).text).toBe(before.text);
    const chinese = await buyer.info(order_sn, { locale: "zh-CN" });
    expect([chinese.items[0]?.title, chinese.address?.district]).toEqual(["12.9W 短袖", "徐汇区"]);
  });

  it("is found by its own member alone, by number and title in any spelling", async () => {
    const { server, buyer } = await withBuyer(engine);
    const created: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      server.advanceClock(1);
      created.unshift(await buyer.order());
    }
    const search = (search: string) => buyer.call(contract.mallOrderList, { page: 1, page_size: 2, search });
    const [newest, second, number = ""] = created;
    expect(await search(`－${number.slice(5).toLowerCase()}`)).toMatchObject({ list: [{ order_sn: number }], total: 1 });
    const newestTwo = [{ order_sn: newest }, { order_sn: second }];
    expect(await search("TOTE")).toMatchObject({ list: newestTwo, total: 3, search: "TOTE" });
    for (const none of ["_%", "（－）"]) expect(await search(none)).toMatchObject({ list: [], total: 0 });
    const stranger = await createBuyer(server);
    for (const filter of [{}, { search: number }])
      expect(await stranger.call(contract.mallOrderList, { page: 1, page_size: 9, ...filter })).toMatchObject({
        list: [],
        total: 0,
      });
    for (const wrong of [{ search: "x".repeat(65) }, { page: 100_001 }])
      expect((await buyer.send(contract.mallOrderList, { page: 1, page_size: 1, ...wrong })).code).toBe(10002);
  });
});
