import { contract } from "../../src/api/contract.ts";
import { codes } from "../../src/api/envelope.ts";
import type { Order } from "../../src/api/order.ts";
import { assert, assertEqual, CheckSkipped } from "./client.ts";
import {
  type ConformanceContext,
  type CreatedOrder,
  type Group,
  getToken,
  missing,
  newRequestId,
  pickGoods,
  pickPackage,
  requireValue,
} from "./context.ts";

const getMinutesBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 60_000;

/** The calls of both kinds of orders, which have the same rules. */
const kinds = {
  goods: { snPrefix: "M", create: contract.mallCreateOrder, info: contract.mallOrderInfo, payCode: contract.mallPayCode },
  package: {
    snPrefix: "V",
    create: contract.packageCreateOrder,
    info: contract.packageOrderInfo,
    payCode: contract.packagePayCode,
  },
};
type Kind = keyof typeof kinds;
const getCreated = (context: ConformanceContext, kind: Kind) =>
  requireValue(kind === "goods" ? context.goodsOrder : context.packageOrder, "no order was created");

async function pickPayload(
  context: ConformanceContext,
  kind: Kind,
): Promise<{ payload: Record<string, unknown>; payFen: number }> {
  if (kind === "package") {
    const { uid, pay_fen } = await pickPackage(context);
    return { payFen: pay_fen, payload: { uid, quantity: 1 } };
  }
  const { goods, sku, postage } = await pickGoods(context);
  const { address_id } = requireValue(context.address, "no address was created");
  const payFen = sku.pay_fen + postage(sku.pay_fen);
  return {
    payFen,
    payload: { goods_uid: goods.goods_uid, sku_uid: sku.sku_uid, quantity: 1, address_id, note: "Conformance" },
  };
}

/** Creates the order, after requests with wrong prices fail. */
async function createOrder(context: ConformanceContext, kind: Kind): Promise<CreatedOrder> {
  const token = getToken(context);
  const { snPrefix, create, info } = kinds[kind];
  const { payload: withoutPrice, payFen } = await pickPayload(context, kind);
  const client_request_id = newRequestId();
  for (const expected_pay_fen of [0, payFen - 1, payFen + 1]) {
    const { envelope } = await context.client.expectError(
      "priceChanged",
      create,
      { ...withoutPrice, expected_pay_fen, client_request_id },
      { token },
    );
    assertEqual(Object(envelope.data).pay_fen, payFen, "data.pay_fen");
  }
  const payload = { ...withoutPrice, expected_pay_fen: payFen, client_request_id };
  const { order_sn } = await context.client.data(create, payload, { token });
  context.leftovers.push(`an unpaid order, ${order_sn}, which will close by itself`);
  assert(new RegExp(`^${snPrefix}\\d{12}[0-9A-HJKMNP-TV-Z]{8}$`).test(order_sn), `order_sn is ${order_sn}`);
  const created = { order: (await context.client.data(info, { order_sn }, { token })).info, payload };
  if (kind === "goods") context.goodsOrder = created;
  else context.packageOrder = created;
  return created;
}

function assertNewOrder(order: Order, { payload }: CreatedOrder, kind: Kind): void {
  const sum = order.items.reduce((all, { pay_fen, quantity }) => all + pay_fen * quantity, 0);
  assertEqual([order.kind, order.status, order.close_reason], [kind, "pending", null], "kind, status and close_reason");
  assertEqual(
    [order.goods_fen, order.pay_fen],
    [sum, sum + order.postage_fen],
    "goods_fen and pay_fen, from items and postage",
  );
  assertEqual(order.pay_fen, payload.expected_pay_fen, "pay_fen");
  assertEqual(getMinutesBetween(order.created_at, order.pay_expire_at), 30, "minutes to pay");
  assertEqual(order.timeline, [{ status: "pending", at: order.created_at }], "the timeline");
  assertEqual(order.actions.pay, true, "actions.pay");
  assertEqual(
    [order.paid_at, order.shipped_at, order.completed_at, order.closed_at, order.shipment],
    Array(5).fill(null),
    "the fields of later statuses",
  );
}

const createChecks = (kind: Kind): Group["checks"] => [
  [
    `${kind}: a wrong price returns 30003, the right one creates an order`,
    async (context) => {
      const created = await createOrder(context, kind);
      assertNewOrder(created.order, created, kind);
    },
  ],
  [
    `${kind}: the same client_request_id returns the same order, with another payload 10005`,
    async (context) => {
      const { order, payload } = getCreated(context, kind);
      const token = getToken(context);
      const { create } = kinds[kind];
      const repeats = await Promise.all([1, 2, 3].map(() => context.client.data(create, payload, { token })));
      assertEqual(
        repeats.map(({ order_sn }) => order_sn),
        Array(3).fill(order.order_sn),
        "order_sn of three repeats",
      );
      await context.client.expectError("requestIdReused", create, { ...payload, quantity: 2 }, { token });
    },
  ],
  [
    `${kind}: unknown ids return 10003, an invalid quantity or request id 10002`,
    async (context) => {
      const { payload } = getCreated(context, kind);
      const token = getToken(context);
      const { create, info, payCode } = kinds[kind];
      const ids = kind === "goods" ? ["goods_uid", "sku_uid"] : ["uid"];
      for (const field of ids) {
        await context.client.expectError(
          "notFound",
          create,
          { ...payload, [field]: missing.uid, client_request_id: newRequestId() },
          { token },
        );
      }
      for (const invalid of [
        { quantity: 0 },
        { quantity: 1.5 },
        { quantity: "1" },
        { quantity: 100 },
        { client_request_id: "short" },
        { expected_pay_fen: 1.5 },
      ]) {
        await context.client.expectError(
          "badParameter",
          create,
          { ...payload, client_request_id: newRequestId(), ...invalid },
          { token },
        );
      }
      for (const call of [info, payCode])
        await context.client.expectError(
          "notFound",
          call,
          { order_sn: kind === "goods" ? missing.mall : missing.package },
          { token },
        );
    },
  ],
  [
    `${kind}: a pay code has the number, amount and expiry of its order`,
    async (context) => {
      const { order } = getCreated(context, kind);
      const { order_sn, pay_fen, expires_at } = await context.client.data(
        kinds[kind].payCode,
        { order_sn: order.order_sn },
        { token: getToken(context) },
      );
      assertEqual(
        { order_sn, pay_fen, expires_at },
        { order_sn: order.order_sn, pay_fen: order.pay_fen, expires_at: order.pay_expire_at },
        "the pay code",
      );
    },
  ],
  [
    `${kind}: the other kind's call returns 10003 for the order`,
    async (context) => {
      const { order_sn } = getCreated(context, kind).order;
      await context.client.expectError(
        "notFound",
        kinds[kind === "goods" ? "package" : "goods"].info,
        { order_sn },
        { token: getToken(context) },
      );
    },
  ],
];

const cancellation: Group["checks"][number] = [
  "the extension cancels an unpaid order, also twice, and returns 10003 for an unknown one; a server without it offers none",
  async (context) => {
    const { order, payload } = getCreated(context, "goods");
    if (!order.actions.cancel) throw new CheckSkipped("the server does not have this extension");
    const token = getToken(context);
    const second = { ...payload, client_request_id: newRequestId() };
    const { envelope } = await context.client.call(contract.mallCreateOrder, second, { token });
    if (envelope?.code !== codes.success) throw new CheckSkipped("a second order is not possible");
    const { order_sn } = await context.client.data(contract.mallCreateOrder, second, { token });
    const { info } = await context.client.data(contract.orderCancel, { order_sn }, { token });
    assertEqual([info.status, info.close_reason, info.paid_at], ["closed", "expired", null], "status, close_reason, paid_at");
    assertEqual(info.cancelled_at, info.closed_at, "cancelled_at");
    const again = await context.client.data(contract.orderCancel, { order_sn }, { token });
    assertEqual(again.info, info, "the order, cancelled again");
    await context.client.expectError("notFound", contract.orderCancel, { order_sn: missing.mall }, { token });
  },
];

export const goodsOrder: Group = { name: "goods orders", checks: [...createChecks("goods"), cancellation] };
export const packageOrder: Group = { name: "package orders", checks: createChecks("package") };
