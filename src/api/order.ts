import * as v from "valibot";
import { orderAddress } from "./address.ts";
import {
  call,
  clientRequestId,
  createdOrder,
  fen,
  integer,
  integerBetween,
  nullableTime,
  picture,
  text,
  time,
  typeOnly,
  uid,
} from "./call.ts";
import { maxQuantity, maxSearchLength } from "./order-rules.ts";

const orderStatus = v.picklist(["pending", "paid", "shipped", "completed", "closed"]);

export const order = v.object({
  order_sn: v.string(),
  kind: v.picklist(["goods", "package"]),
  status: orderStatus,
  close_reason: v.nullable(v.picklist(["expired", "refunded", "refund_due"])),
  items: v.array(
    v.object({
      uid: v.string(),
      sku_uid: v.nullable(v.string()),
      title: v.string(),
      spec: v.string(),
      image: picture,
      pay_fen: fen,
      quantity: integer,
      /** From when it is sent, as the item had it when it was ordered; a server may leave it out. */
      ships_at: v.optional(nullableTime),
    }),
  ),
  goods_fen: fen,
  postage_fen: fen,
  pay_fen: fen,
  address: v.nullable(orderAddress),
  note: v.string(),
  /** `tracking` is empty for what the shop brings itself. */
  shipment: v.nullable(v.object({ carrier: v.string(), tracking: v.string() })),
  created_at: time,
  pay_expire_at: time,
  paid_at: nullableTime,
  shipped_at: nullableTime,
  completed_at: nullableTime,
  closed_at: nullableTime,
  timeline: v.array(v.object({ status: orderStatus, at: time })),
  /** When the member cancelled it, before it was paid; its `close_reason` is `expired`. */
  cancelled_at: v.optional(nullableTime),
  /** `cancel`: `orderCancel` is served, and the order can be cancelled. */
  actions: v.object({ pay: v.boolean(), rebuy: v.boolean(), cancel: v.optional(v.boolean()) }),
  /** The refund that succeeded, else the last attempt; a server may leave it out. */
  refund: v.optional(
    v.object({
      status: v.picklist(["processing", "succeeded", "failed"]),
      refund_fen: fen,
      requested_at: time,
      ended_at: nullableTime,
    }),
  ),
});
export type Order = v.InferOutput<typeof order>;

/** Returns a variant in words, such as `Size: S · Color: black`. */
export function joinSpecs(specs: readonly { name: string }[], values: readonly string[], locale: string): string {
  const colon = locale === "zh-CN" ? "：" : ": ";
  return specs.map(({ name }, index) => name + colon + values[index]).join(" · ");
}

export const payCode = v.object({
  image: v.pipe(v.string(), v.regex(/^data:image\//)),
  mode: v.picklist(["wxacode", "sandbox"]),
  order_sn: v.string(),
  pay_fen: fen,
  expires_at: time,
  server_time: time,
  link: v.nullable(v.string()),
});
export type PayCode = v.InferOutput<typeof payCode>;

export const orderPayload = () => v.object({ order_sn: uid });
const info = v.object({ info: order, server_time: time });

export const packageOrderLists = call({
  method: "GET",
  path: "/v1/order/lists",
  access: "session",
  notify: false,
  data: v.object({ list: v.array(order) }),
});
export const packageOrderInfo = call({
  method: "POST",
  path: "/v1/order/info",
  access: "session",
  notify: false,
  payload: typeOnly<typeof orderPayload>(),
  data: info,
});
export const packagePayCode = call({
  method: "POST",
  path: "/v1/memberPackage/genMiniProgramCodeBySn",
  access: "session",
  notify: false,
  payload: typeOnly<typeof orderPayload>(),
  data: payCode,
});
/** Closes an unpaid order of either kind, unless the payment provider, which is queried before, has a payment or gives no response that can be verified. A repeat returns the cancelled order. */
export const orderCancel = call({
  extension: true,
  method: "POST",
  path: "/v1/order/cancel",
  access: "session",
  notify: true,
  payload: typeOnly<typeof orderPayload>(),
  data: info,
});
export const mallCreateOrderPayload = () =>
  v.object({
    goods_uid: uid,
    sku_uid: uid,
    quantity: integerBetween(1, maxQuantity),
    address_id: uid,
    note: v.optional(text(0, 200), ""),
    expected_pay_fen: fen,
    client_request_id: clientRequestId,
  });
export const mallCreateOrder = call({
  method: "POST",
  path: "/v1/mall/createOrder",
  access: "session",
  notify: true,
  payload: typeOnly<typeof mallCreateOrderPayload>(),
  data: createdOrder,
});
/** `search` is an extension: a part of the order's number or of an item's title. A server that knows it returns it with the orders that match. */
export const mallOrderListPayload = () =>
  v.object({
    page: integerBetween(1, 100_000),
    page_size: integerBetween(1, 50),
    search: v.optional(text(0, maxSearchLength)),
  });
export const mallOrderList = call({
  method: "POST",
  path: "/v1/mall/orderList",
  access: "session",
  notify: false,
  payload: typeOnly<typeof mallOrderListPayload>(),
  data: v.object({
    list: v.array(order),
    page: integer,
    page_size: integer,
    total: integer,
    search: v.optional(v.string()),
  }),
});
export const mallOrderInfo = call({
  method: "POST",
  path: "/v1/mall/orderInfo",
  access: "session",
  notify: false,
  payload: typeOnly<typeof orderPayload>(),
  data: info,
});
export const mallPayCode = call({
  method: "POST",
  path: "/v1/mall/genMiniProgramCodeBySn",
  access: "session",
  notify: false,
  payload: typeOnly<typeof orderPayload>(),
  data: payCode,
});
