import * as v from "valibot";
import { formatTime } from "#server/lib/china-time.ts";
import { getReason } from "#server/lib/errors.ts";
import {
  type Shipment,
  type ShippingAnswer,
  ShippingError,
  type ShippingKind,
  type ShippingRecord,
  type ShippingService,
} from "#server/lib/shipping-service.ts";
import { parseResponse, type WechatClient, WechatError } from "./client.ts";
import { openid } from "./pay-message.ts";
import type { WechatSettings } from "./settings.ts";
import { shippingCodes } from "./shipping-codes.ts";

const ok = v.object({ errcode: v.literal(0) });
const managed = v.object({ is_trade_managed: v.boolean() });
const confirmed = v.object({ completed: v.boolean() });
const carriers = v.object({
  delivery_list: v.pipe(v.array(v.object({ delivery_id: v.string(), delivery_name: v.string() })), v.minLength(1)),
});

/** WeChat returns `{}` as the shipping of an order that is still to be shipped. */
const found = v.object({
  order: v.object({
    merchant_id: v.optional(v.string()),
    merchant_trade_no: v.string(),
    openid: v.fallback(v.nullish(openid), null),
    order_state: v.picklist([1, 2, 3, 4, 5, 6]),
    shipping: v.optional(
      v.object({
        logistics_type: v.optional(v.number()),
        finish_shipping_count: v.optional(v.number(), 0),
        shipping_list: v.optional(
          v.array(v.object({ tracking_no: v.optional(v.string(), ""), express_company: v.optional(v.string(), "") })),
          [],
        ),
      }),
    ),
  }),
});

const states = { 1: "to_ship", 2: "shipped", 3: "done", 4: "done", 5: "refunded", 6: "done" } as const;
const logisticsTypes: Record<ShippingKind, number> = { express: 1, by_hand: 2, virtual: 3 };
const kinds = new Map<number | undefined, ShippingKind>([
  [1, "express"],
  [2, "by_hand"],
  [3, "virtual"],
]);
const path = "/wxa/sec/order";
const preSale = 1;

/** Reads what went wrong: an error that WeChat reports, or anything else, after which WeChat may or may not have what was sent. */
function toAnswer(error: unknown): ShippingAnswer {
  if (!(error instanceof WechatError)) return { kind: "unclear", code: 0, words: getReason(error).slice(0, 300) };
  const { errcode, message } = error;
  return { kind: shippingCodes.get(errcode)?.kind ?? "refused", code: errcode, words: message };
}

/** Creates the calls that tell WeChat of shipments (发货信息管理, developers.weixin.qq.com/miniprogram/dev/platform-capabilities/business-capabilities/order-shipping). */
export function createShipping({ appid, mchid }: WechatSettings, client: WechatClient): ShippingService {
  async function ask<Schema extends v.GenericSchema>(schema: Schema, callPath: string, body: object) {
    try {
      return parseResponse(schema, await client.call(callPath, body));
    } catch (error) {
      throw new ShippingError(toAnswer(error));
    }
  }

  async function report(callPath: string, body: object): Promise<ShippingAnswer> {
    try {
      parseResponse(ok, await client.call(callPath, body));
      return { kind: "accepted", code: 0, words: "" };
    } catch (error) {
      return toAnswer(error);
    }
  }

  return {
    isManaged: async () => (await ask(managed, `${path}/is_trade_managed`, { appid })).is_trade_managed,
    isConfirmed: async () => (await ask(confirmed, `${path}/is_trade_management_confirmation_completed`, { appid })).completed,
    async find(tradeNo) {
      const { order } = await ask(found, `${path}/get_order`, { merchant_id: mchid, merchant_trade_no: tradeNo });
      if (order.merchant_trade_no !== tradeNo)
        throw new ShippingError({ kind: "unclear", code: 0, words: "WeChat's response is about another payment" });
      return toRecord(order);
    },
    report: (shipment) => report(`${path}/upload_shipping_info`, toUpload(mchid, shipment)),
    announce: (tradeNo, shipsAt) =>
      report(`${path}/opspecialorder`, { order_id: tradeNo, type: preSale, delay_to: Math.floor(shipsAt.getTime() / 1000) }),
    async listCarriers() {
      const { delivery_list } = await ask(carriers, "/cgi-bin/express/delivery/open_msg/get_delivery_list", {});
      return delivery_list.map(({ delivery_id, delivery_name }) => ({ id: delivery_id, name: delivery_name }));
    },
    async setPage(page) {
      // WeChat puts the order's number into the first, and adds it to the second.
      await ask(ok, `${path}/update_order_detail_path`, { path: `${page}?sn=\${商品订单号}` });
      await ask(ok, `${path}/set_msg_jump_path`, { path: page });
    },
    getAdvice: (code) => shippingCodes.get(code)?.advice ?? null,
  };
}

function toRecord({ openid, order_state, shipping }: v.InferOutput<typeof found>["order"]): ShippingRecord {
  const count = shipping?.finish_shipping_count ?? 0;
  const [parcel] = shipping?.shipping_list ?? [];
  return {
    openid: openid ?? null,
    state: states[order_state],
    kind: count > 0 ? (kinds.get(shipping?.logistics_type) ?? null) : null,
    parcel: parcel ? { carrierId: parcel.express_company, tracking: parcel.tracking_no } : null,
    isCorrected: count > 1,
  };
}

/** A correction must be later than what it corrects. */
const formatMilliseconds = (at: Date) => formatTime(at).replace("+", `.${String(at.getMilliseconds()).padStart(3, "0")}+`);

/** A parcel as a whole: `delivery_mode` 1, with exactly one entry. */
function toUpload(mchid: string, { tradeNo, openid, kind, parcel, itemDesc, at }: Shipment) {
  const parcelFields = parcel && {
    tracking_no: parcel.tracking,
    express_company: parcel.carrierId,
    ...(parcel.contact ? { contact: { receiver_contact: parcel.contact } } : {}),
  };
  return {
    order_key: { order_number_type: 1, mchid, out_trade_no: tradeNo },
    logistics_type: logisticsTypes[kind],
    delivery_mode: 1,
    shipping_list: [{ ...parcelFields, item_desc: itemDesc }],
    upload_time: formatMilliseconds(at),
    payer: { openid },
  };
}
