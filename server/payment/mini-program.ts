import type { Hono, Context as HonoContext } from "hono";
import * as v from "valibot";
import type { Locale } from "#i18n/locale.ts";
import { field as fieldTexts } from "#i18n/response-code.ts";
import type { Context } from "#server/context.ts";
import { toClientNetwork } from "#server/http/client-ip.ts";
import { sendData } from "#server/http/envelope.ts";
import { createRateLimit } from "#server/http/rate-limit.ts";
import { type Env, getRequestLocale, readJson } from "#server/http/request.ts";
import { validate } from "#server/http/route.ts";
import { ApiError, getReason } from "#server/lib/errors.ts";
import type { MiniProgram } from "#server/lib/payment-provider.ts";
import { findShopTitle } from "#server/modules/catalogue/stored.ts";
import { requireAvailable } from "#server/modules/order/pay-code.ts";
import { canPrepay, closePrepay, reservePrepay } from "#server/modules/order/prepay.ts";
import { reconcileNow } from "#server/modules/order/reconcile.ts";
import type { OrderRow } from "#server/modules/order/serializer.ts";
import { codes } from "#src/api/envelope.ts";
import { findPayable, toPayable } from "./payable.ts";

// Calls per minute and process.
/** Numbers that no order has, of one network. */
const maxUnknown = 30;
/** Of one order: two phones that follow it. */
const maxReads = 120;
/** Of one order: each is a query to WeChat and one to WeChat Pay. */
const maxPrepays = 20;

const orderSn = v.pipe(v.string(), v.regex(/^[MV]\d{12}[0-9A-HJKMNP-TV-Z]{8}$/));
const tradeNo = v.pipe(v.string(), v.regex(/^[\dA-Z]{21}(-\d{1,2})?$/));
const orderPayload = v.object({ order_sn: orderSn, trade_no: v.optional(tradeNo) });
const prepayPayload = v.object({ order_sn: orderSn, code: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,128}$/)) });

/**
 * Serves the two calls of the mini program, which whoever has an order's number may send: what is to be paid, and the preparation of a payment. Both answer in
 * the envelope and reveal nothing of the member.
 */
export function serveMiniProgram(app: Hono<Env>, context: Context, miniProgram: MiniProgram): void {
  const { config, now, proxies } = context;
  const limitNetwork = createRateLimit(config.FLOOD_PER_MINUTE, now);
  const limitUnknown = createRateLimit(maxUnknown, now);
  const limitReads = createRateLimit(maxReads, now);
  const limitPrepays = createRateLimit(maxPrepays, now);

  async function read<Schema extends v.GenericSchema>(c: HonoContext<Env>, schema: Schema) {
    const network = toClientNetwork(proxies.getClientAddress(c.env, (name) => c.req.header(name)));
    limitNetwork(network);
    return { network, payload: validate(schema, await readJson(c.req.raw), getRequestLocale(c)) };
  }

  /** Throws 10003 for an unknown order, and 10004 for too many of them. */
  async function find(network: string, number: string, payerNo?: string): Promise<OrderRow> {
    const row = await findPayable(context, number, payerNo);
    if (row) return row;
    limitUnknown(network);
    throw new ApiError(codes.notFound);
  }

  app.post("/pay/wechat/order", async (c) => {
    const { network, payload } = await read(c, orderPayload);
    const { order_sn, trade_no } = payload;
    limitReads(order_sn);
    const row = await find(network, order_sn, trade_no);
    return sendData(c, await describeOrder(row, getRequestLocale(c), trade_no));
  });

  app.post("/pay/wechat/prepay", async (c) => {
    const { network, payload } = await read(c, prepayPayload);
    const { order_sn, code } = payload;
    limitPrepays(order_sn);
    const row = await find(network, order_sn);
    const locale = getRequestLocale(c);
    await requireOpen(row, locale);
    await requireAvailable(context, row.order, now());
    return sendData(c, await prepare(row, code, locale));
  });

  for (const path of ["/pay/wechat/order", "/pay/wechat/prepay"])
    app.all(path, () => {
      throw new ApiError(codes.notAllowed, null, 405, { Allow: "POST" });
    });

  async function describeOrder(row: OrderRow, locale: Locale, payerNo?: string) {
    const shop = (await findShopTitle(context.db))?.[locale] ?? "";
    return { ...(await toPayable(context, row, locale, payerNo)), shop };
  }

  /** Throws 40002 for a paid order and 40001 for another that takes no payment, with its state. */
  async function requireOpen(row: OrderRow, locale: Locale): Promise<void> {
    if (canPrepay(row.order, now())) return;
    const data = await describeOrder(row, locale);
    throw new ApiError(data.state === "paid" ? codes.orderPaid : codes.orderClosed, data);
  }

  async function requireStillOpen(number: string, locale: Locale): Promise<void> {
    const row = await findPayable(context, number);
    if (row) await requireOpen(row, locale);
  }

  async function prepare(row: OrderRow, code: string, locale: Locale) {
    const { orderSn } = row.order;
    const { noticeUrl } = miniProgram;
    if (noticeUrl === null) throw unavailable("HOST_ORIGIN is no https origin, which WeChat Pay could report the payment to");
    const openid = await miniProgram.login(code).catch((error: unknown) => {
      throw unavailable(getReason(error));
    });
    if (openid === null) throw new ApiError(codes.badParameter, { fields: { code: fieldTexts[locale].invalid } });
    const shop = (await findShopTitle(context.db))?.[locale] ?? "";
    const payer = { openid, description: toDescription(shop, row, locale), noticeUrl };
    // A second time for a payer whose number turns out to be closed, or taken by a request of an earlier software.
    for (let round = 0; round < 2; round += 1) {
      const prepay = await reservePrepay(context, orderSn, payer);
      if (!prepay) break;
      const result = await miniProgram.prepay(prepay).catch((error: unknown) => {
        throw unavailable(getReason(error));
      });
      // The order may have closed, or somebody else may have paid it, meanwhile.
      if (typeof result === "object") {
        await requireStillOpen(orderSn, locale);
        return { trade_no: prepay.tradeNo, ...result };
      }
      if (result === "taken" && (await closePrepay(context, prepay.tradeNo)) === "closed") continue;
      await reconcileNow(context, orderSn);
      break;
    }
    await requireStillOpen(orderSn, locale);
    throw unavailable("no number could be paid, or too many people have begun to pay the order");
  }
}

function unavailable(reason: string): ApiError {
  console.error(`No payment was prepared: ${reason}`);
  return new ApiError(codes.payCodeUnavailable);
}

const maxDescription = 60;

/** Returns what the payer reads in WeChat and in the bill: shop, item and variant. */
function toDescription(shop: string, { item }: OrderRow, locale: Locale): string {
  const spec = item.spec[locale] && ` ${item.spec[locale]}`;
  const text = `${shop} ${item.title[locale]}${spec} × ${item.quantity}`.trim().replaceAll(/[\p{C}\s]+/gu, " ");
  const letters = [...new Intl.Segmenter(locale).segment(text)].map(({ segment }) => segment);
  return letters.length <= maxDescription ? text : `${letters.slice(0, maxDescription - 1).join("")}…`;
}
