import type { Order } from "../../src/api/order.ts";
import { table } from "../../src/api/table.ts";
import { type ConformanceContext, type Group, type Made, missing, needed, newRequestId, tokenOf } from "./context.ts";
import { pickGoods, pickPackage } from "./fixtures.ts";
import { assert, assertEqual } from "./outcome.ts";

const minutes = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 60_000;

/** The two kinds of orders go by the same rules, under other paths. */
const kinds = {
  goods: { letter: "M", create: table.mallCreateOrder, info: table.mallOrderInfo, code: table.mallPayCode },
  package: { letter: "V", create: table.packageCreateOrder, info: table.packageOrderInfo, code: table.packagePayCode },
};
type Kind = keyof typeof kinds;
const madeOf = (ground: ConformanceContext, kind: Kind) =>
  needed(kind === "goods" ? ground.goodsOrder : ground.passOrder, "no order was made");

async function wanted(ground: ConformanceContext, kind: Kind): Promise<{ payload: Record<string, unknown>; payFen: number }> {
  if (kind === "package") {
    const { uid, pay_fen } = await pickPackage(ground);
    return { payFen: pay_fen, payload: { uid, quantity: 1 } };
  }
  const { goods, sku, postage } = await pickGoods(ground);
  const { address_id } = needed(ground.address, "no address was made");
  const payFen = sku.pay_fen + postage(sku.pay_fen);
  return {
    payFen,
    payload: { goods_uid: goods.goods_uid, sku_uid: sku.sku_uid, quantity: 1, address_id, note: "Conformance" },
  };
}

/** Makes the order, after another figure than its price was refused. */
async function create(ground: ConformanceContext, kind: Kind): Promise<Made> {
  const token = tokenOf(ground);
  const { letter, create, info } = kinds[kind];
  const { payload: bare, payFen } = await wanted(ground, kind);
  const client_request_id = newRequestId();
  for (const expected_pay_fen of [0, payFen - 1, payFen + 1]) {
    const { envelope } = await ground.wire.refusal(
      "priceChanged",
      create,
      { ...bare, expected_pay_fen, client_request_id },
      { token },
    );
    assertEqual(Object(envelope.data).pay_fen, payFen, "data.pay_fen");
  }
  const payload = { ...bare, expected_pay_fen: payFen, client_request_id };
  const { order_sn } = await ground.wire.data(create, payload, { token });
  ground.left.push(`an unpaid order, ${order_sn}, which closes by itself`);
  assert(new RegExp(`^${letter}\\d{12}[0-9A-HJKMNP-TV-Z]{8}$`).test(order_sn), `order_sn is ${order_sn}`);
  const made = { order: (await ground.wire.data(info, { order_sn }, { token })).info, payload };
  if (kind === "goods") ground.goodsOrder = made;
  else ground.passOrder = made;
  return made;
}

function mustBeNew(order: Order, { payload }: Made, kind: Kind): void {
  const sum = order.items.reduce((all, { pay_fen, quantity }) => all + pay_fen * quantity, 0);
  assertEqual([order.kind, order.status, order.close_reason], [kind, "pending", null], "kind, status and close_reason");
  assertEqual(
    [order.goods_fen, order.pay_fen],
    [sum, sum + order.postage_fen],
    "goods_fen and pay_fen by the lines and postage",
  );
  assertEqual(order.pay_fen, payload.expected_pay_fen, "pay_fen");
  assertEqual(minutes(order.created_at, order.pay_expire_at), 30, "minutes to pay");
  assertEqual(order.timeline, [{ status: "pending", at: order.created_at }], "the timeline");
  assertEqual(order.actions, { pay: true, rebuy: order.actions.rebuy }, "the actions");
  assertEqual(
    [order.paid_at, order.shipped_at, order.completed_at, order.closed_at, order.shipment],
    Array(5).fill(null),
    "what has not happened yet",
  );
}

const checksOf = (kind: Kind, word: string): Group["checks"] => [
  [
    `${word}: another price than the host's is 30003, the right one makes an order`,
    async (ground) => {
      const made = await create(ground, kind);
      mustBeNew(made.order, made, kind);
    },
  ],
  [
    `${word}: the same client_request_id gives the same order, with another payload 10005`,
    async (ground) => {
      const { order, payload } = madeOf(ground, kind);
      const token = tokenOf(ground);
      const { create } = kinds[kind];
      const repeats = await Promise.all([1, 2, 3].map(() => ground.wire.data(create, payload, { token })));
      assertEqual(
        repeats.map(({ order_sn }) => order_sn),
        Array(3).fill(order.order_sn),
        "order_sn of three repeats",
      );
      await ground.wire.refusal("requestIdReused", create, { ...payload, quantity: 2 }, { token });
    },
  ],
  [
    `${word}: what is not there is 10003, a wrong quantity or request id 10002`,
    async (ground) => {
      const { payload } = madeOf(ground, kind);
      const token = tokenOf(ground);
      const { create, info, code } = kinds[kind];
      const ids = kind === "goods" ? ["goods_uid", "sku_uid"] : ["uid"];
      for (const field of ids) {
        await ground.wire.refusal(
          "notFound",
          create,
          { ...payload, [field]: missing.uid, client_request_id: newRequestId() },
          { token },
        );
      }
      for (const wrong of [
        { quantity: 0 },
        { quantity: 1.5 },
        { quantity: "1" },
        { quantity: 100 },
        { client_request_id: "short" },
        { expected_pay_fen: 1.5 },
      ]) {
        await ground.wire.refusal(
          "badParameter",
          create,
          { ...payload, client_request_id: newRequestId(), ...wrong },
          { token },
        );
      }
      for (const call of [info, code])
        await ground.wire.refusal("notFound", call, { order_sn: kind === "goods" ? missing.mall : missing.pass }, { token });
    },
  ],
  [
    `${word}: a pay code is for its order, its sum and its time`,
    async (ground) => {
      const { order } = madeOf(ground, kind);
      const { order_sn, pay_fen, expires_at } = await ground.wire.data(
        kinds[kind].code,
        { order_sn: order.order_sn },
        { token: tokenOf(ground) },
      );
      assertEqual(
        { order_sn, pay_fen, expires_at },
        { order_sn: order.order_sn, pay_fen: order.pay_fen, expires_at: order.pay_expire_at },
        "the pay code",
      );
    },
  ],
  [
    `${word}: an order is none of the other kind`,
    async (ground) => {
      const { order_sn } = madeOf(ground, kind).order;
      await ground.wire.refusal(
        "notFound",
        kinds[kind === "goods" ? "package" : "goods"].info,
        { order_sn },
        { token: tokenOf(ground) },
      );
    },
  ],
];

export const goodsOrder: Group = { name: "orders of goods", checks: checksOf("goods", "goods") };
export const passOrder: Group = { name: "orders of passes", checks: checksOf("package", "passes") };
