import { expect } from "vitest";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import type { Goods } from "#src/api/goods.ts";
import { calculatePostage, maxQuantity } from "#src/api/order-rules.ts";
import type { MemberPackage } from "#src/api/package.ts";
import { clearAddress } from "./address.ts";
import {
  type Checks,
  type CreatedOrder,
  getAddress,
  getClient,
  getGoodsOrder,
  getMember,
  getPackageOrder,
  missing,
  need,
  newRequestId,
  type Run,
  skip,
} from "./run.ts";

/** Returns an item of which the member may buy two, with its best stocked variant, and what some of it cost with postage. */
async function pickGoods(
  run: Run,
): Promise<{ goods: Goods; sku: Goods["skus"][number]; toPrice: (quantity: number) => number }> {
  const client = getClient(run);
  for (const { goods_uid } of (await client.data(contract.goodsLists)).list) {
    const { info: goods, postage } = await client.data(contract.goodsInfo, { goods_uid });
    const [sku] = goods.skus.toSorted((a, b) => b.stock - a.stock);
    const toPrice = (sum: number) => sum + calculatePostage(sum, postage);
    if (goods.on_sale && goods.limit_per_member >= 2 && sku && sku.stock >= 2)
      return { goods, sku, toPrice: (quantity) => toPrice(sku.pay_fen * quantity) };
  }
  return skip("no item is on sale of which this member may buy two");
}

/** Returns the cheapest package that this member can buy. */
async function pickPackage(run: Run): Promise<MemberPackage> {
  const { client, info } = getMember(run);
  const { list } = await client.data(contract.packageLists);
  const lowestLevel = info.membership?.level ?? 1;
  const available = list.filter(({ on_sale, level, stock }) => on_sale && level >= lowestLevel && stock !== 0);
  return need(available.toSorted((a, b) => a.pay_fen - b.pay_fen)[0], "no package is on sale that this member can buy");
}

/** The calls of both kinds of orders, which have the same rules. */
const kinds = {
  goods: {
    snPrefix: "M",
    unknownSn: missing.mall,
    uidFields: ["goods_uid", "sku_uid"],
    create: contract.mallCreateOrder,
    info: contract.mallOrderInfo,
    payCode: contract.mallPayCode,
    getCreated: getGoodsOrder,
  },
  package: {
    snPrefix: "V",
    unknownSn: missing.package,
    uidFields: ["uid"],
    create: contract.packageCreateOrder,
    info: contract.packageOrderInfo,
    payCode: contract.packagePayCode,
    getCreated: getPackageOrder,
  },
};
type Kind = keyof typeof kinds;

async function pickPayload(run: Run, kind: Kind): Promise<{ payload: Record<string, unknown>; payFen: number }> {
  if (kind === "package") {
    const { uid, pay_fen } = await pickPackage(run);
    return { payFen: pay_fen, payload: { uid, quantity: 1 } };
  }
  const { goods_uid, sku_uid, payFen } = await pickGoods(run).then(({ goods, sku, toPrice }) => ({
    ...goods,
    ...sku,
    payFen: toPrice(1),
  }));
  const { address_id } = getAddress(run);
  return { payFen, payload: { goods_uid, sku_uid, quantity: 1, address_id, note: "Conformance" } };
}

/** Creates an order, after requests with wrong prices fail. */
async function createOrder(run: Run, kind: Kind): Promise<CreatedOrder> {
  const client = getClient(run);
  const { snPrefix, create, info } = kinds[kind];
  const { payload: withoutPrice, payFen } = await pickPayload(run, kind);
  const unpriced = { ...withoutPrice, client_request_id: newRequestId() };
  for (const expected_pay_fen of [0, payFen - 1, payFen + 1]) {
    const { envelope } = await client.expectCode("priceChanged", create, { ...unpriced, expected_pay_fen });
    expect(envelope.data).toMatchObject({ pay_fen: payFen });
  }
  const payload = { ...unpriced, expected_pay_fen: payFen };
  const { order_sn } = await client.data(create, payload);
  run.leftovers.push(`an unpaid order, ${order_sn}, which will close by itself`);
  expect(order_sn).toMatch(new RegExp(`^${snPrefix}\\d{12}[0-9A-HJKMNP-TV-Z]{8}$`));
  return { order: (await client.data(info, { order_sn })).info, payload };
}

function expectNew({ order, payload }: CreatedOrder, kind: Kind): void {
  const sum = order.items.reduce((all, { pay_fen, quantity }) => all + pay_fen * quantity, 0);
  const ofLater = { paid_at: null, shipped_at: null, completed_at: null, closed_at: null, shipment: null };
  expect(order).toMatchObject({ kind, status: "pending", close_reason: null, actions: { pay: true }, ...ofLater });
  expect([order.goods_fen, order.pay_fen]).toEqual([sum, sum + order.postage_fen]);
  expect(order.pay_fen).toBe(payload.expected_pay_fen);
  expect(Date.parse(order.pay_expire_at) - Date.parse(order.created_at), "ms to pay").toBe(30 * 60_000);
  expect(order.timeline).toEqual([{ status: "pending", at: order.created_at }]);
}

const invalidFields = [
  { quantity: 0 },
  { quantity: 1.5 },
  { quantity: "1" },
  { quantity: 100 },
  { client_request_id: "short" },
  { expected_pay_fen: 1.5 },
];

const createChecks = (
  kind: Kind,
  { create, info, payCode, getCreated, uidFields, unknownSn }: (typeof kinds)[Kind],
): Checks => ({
  [`${kind}: a wrong price returns 30003, the right one creates an order`]: async (run) => {
    const created = await createOrder(run, kind);
    run[`${kind}Order`] = created;
    expectNew(created, kind);
  },

  [`${kind}: the same client_request_id returns the same order, with another payload 10005`]: async (run) => {
    const { order, payload } = getCreated(run);
    const client = getClient(run);
    const repeats = await Promise.all([1, 2, 3].map(() => client.data(create, payload)));
    for (const { order_sn } of repeats) expect(order_sn).toBe(order.order_sn);
    await client.expectCode("requestIdReused", create, { ...payload, quantity: 2 });
  },

  [`${kind}: unknown ids return 10003, an invalid quantity or request id 10002`]: async (run) => {
    const { payload } = getCreated(run);
    const client = getClient(run);
    const repeat = (fields: object) => ({ ...payload, client_request_id: newRequestId(), ...fields });
    for (const field of uidFields) await client.expectCode("notFound", create, repeat({ [field]: missing.uid }));
    for (const invalid of invalidFields) await client.expectCode("badParameter", create, repeat(invalid));
    for (const call of [info, payCode]) await client.expectCode("notFound", call, { order_sn: unknownSn });
  },

  [`${kind}: a pay code has the number, amount and expiry of its order`]: async (run) => {
    const { order_sn, pay_fen, pay_expire_at: expires_at } = getCreated(run).order;
    expect(await getClient(run).data(payCode, { order_sn })).toMatchObject({ order_sn, pay_fen, expires_at });
  },

  [`${kind}: the other kind's call returns 10003 for the order`]: async (run) => {
    const { order_sn } = getCreated(run).order;
    await getClient(run).expectCode("notFound", kinds[kind === "goods" ? "package" : "goods"].info, { order_sn });
  },
});

export const goodsOrder: Checks = {
  ...createChecks("goods", kinds.goods),

  "the extension cancels an unpaid order, also twice, and returns 10003 for an unknown one; a server without it offers none":
    async (run) => {
      const { order, payload } = getGoodsOrder(run);
      if (!order.actions.cancel) return skip("the server does not have this extension");
      const client = getClient(run);
      const { envelope } = await client.call(contract.mallCreateOrder, { ...payload, client_request_id: newRequestId() });
      if (envelope.code !== codes.success) return skip("a second order is not possible");
      const { order_sn } = Object(envelope.data);
      const { info } = await client.data(contract.orderCancel, { order_sn });
      expect(info).toMatchObject({ status: "closed", close_reason: "expired", paid_at: null, cancelled_at: info.closed_at });
      expect((await client.data(contract.orderCancel, { order_sn })).info, "cancelled again").toEqual(info);
      await client.expectCode("notFound", contract.orderCancel, { order_sn: missing.mall });
    },
};

export const packageOrder = createChecks("package", kinds.package);

const getOrderSn = ({ order_sn }: { order_sn: string }) => order_sn;

export const orderList: Checks = {
  "the list and the detail of an order are equal": async (run) => {
    const client = getClient(run);
    const lists = {
      goods: (await client.data(contract.mallOrderList, { page: 1, page_size: 50 })).list,
      package: (await client.data(contract.packageOrderLists)).list,
    };
    for (const kind of ["goods", "package"] as const) {
      const { order } = kinds[kind].getCreated(run);
      expect(lists[kind].find(({ order_sn }) => order_sn === order.order_sn)).toEqual(order);
      for (const listed of lists[kind]) expect(listed.kind).toBe(kind);
    }
  },

  "pages make up the whole list, newest first": async (run) => {
    const client = getClient(run);
    const { payload } = getGoodsOrder(run);
    const second = await client.data(contract.mallCreateOrder, { ...payload, client_request_id: newRequestId() });
    run.leftovers.push(`an unpaid order, ${second.order_sn}, which will close by itself`);
    const fetchPage = (page: number, page_size: number) => client.data(contract.mallOrderList, { page, page_size });
    const [page1, page2] = [await fetchPage(1, 1), await fetchPage(2, 1)];
    const [both, beyond] = [await fetchPage(1, 2), await fetchPage(9999, 50)];
    expect([...page1.list, ...page2.list].map(getOrderSn)).toEqual(both.list.map(getOrderSn));
    expect([both.list.length, page1.list.length, beyond.list.length]).toEqual([2, 1, 0]);
    expect(both.list[0]?.order_sn).toBe(second.order_sn);
    expect(page1.total).toBeGreaterThanOrEqual(2);
    expect(page1.total).toBe(both.total);
    expect(page2).toMatchObject({ page: 2, page_size: 1 });
    const times = (await fetchPage(1, 50)).list.map(({ created_at }) => Date.parse(created_at));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  },

  "a search, where the server has one, finds orders by a part of the number and of the title": async (run) => {
    const { order_sn, items } = getGoodsOrder(run).order;
    const find = (search: string) => getClient(run).data(contract.mallOrderList, { page: 1, page_size: 50, search });
    const byNumber = await find(order_sn.slice(-8).toLowerCase());
    if (byNumber.search === undefined) return skip("the server does not search");
    expect([byNumber.list.map(getOrderSn), byNumber.total]).toEqual([[order_sn], 1]);
    expect((await find(items[0]?.title ?? "")).list.map(getOrderSn)).toContain(order_sn);
    expect([(await find("no such order")).list, (await find("%")).total]).toEqual([[], 0]);
  },

  "an invalid page or page_size returns 10002": async (run) => {
    const [page, page_size] = [1, 10];
    for (const invalid of [
      { page: 0, page_size },
      { page, page_size: 51 },
      { page, page_size: 0 },
      { page: "1", page_size },
    ])
      await getClient(run).expectCode("badParameter", contract.mallOrderList, invalid);
  },

  "more than the limit per member returns 30002, more than the stock 30001": async (run) => {
    const { payload } = getGoodsOrder(run);
    const { goods, sku, toPrice } = await pickGoods(run);
    const { goods_uid, limit_per_member: limit } = goods;
    const { sku_uid, stock } = sku;
    const quantity = Math.min(limit, stock) + 1;
    if (quantity > maxQuantity) return skip("the limit and the stock exceed the quantity of one order");
    const tooMany = { ...payload, goods_uid, sku_uid, quantity, expected_pay_fen: toPrice(quantity) };
    const code = limit <= stock ? "overLimit" : "soldOut";
    await getClient(run).expectCode(code, contract.mallCreateOrder, { ...tooMany, client_request_id: newRequestId() });
  },

  "an order counts towards the limit per member": async (run) => {
    const goods_uid = getGoodsOrder(run).order.items[0]?.uid;
    const visitor = await run.visitor.data(contract.goodsInfo, { goods_uid });
    const member = await getClient(run).data(contract.goodsInfo, { goods_uid });
    expect(member.info.limit_per_member, "after two orders").toBeLessThanOrEqual(visitor.info.limit_per_member - 2);
  },

  "an unpaid order counts towards the limit of its pass, where there is one": async (run) => {
    const uid = getPackageOrder(run).order.items[0]?.uid;
    const { limit } = (await run.visitor.data(contract.packageInfo, { uid })).info;
    const own = (await getClient(run).data(contract.packageInfo, { uid })).info.limit;
    if (limit === null) expect(own).toBeNull();
    else expect(own).toBeLessThan(limit);
  },

  "an order keeps its copy of a deleted address": async (run) => {
    const { order_sn } = getGoodsOrder(run).order;
    const { address_id: _id, is_default: _default, ...copy } = getAddress(run);
    await clearAddress(run);
    const { info } = await getClient(run).data(contract.mallOrderInfo, { order_sn });
    expect(info.address).toMatchObject(copy);
  },
};
