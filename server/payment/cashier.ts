import { and, eq, gt } from "drizzle-orm";
import type { Hono, Context as HonoContext } from "hono";
import { html } from "hono/html";
import { fill } from "#i18n/catalogue.ts";
import { canonicalPrefix, type Locale } from "#i18n/locale.ts";
import { payment } from "#i18n/payment.ts";
import type { Context } from "#server/context.ts";
import { orders } from "#server/db/schema/order.ts";
import { getPagePolicy, type HtmlContent, renderHtmlPage } from "#server/http/html-page.ts";
import { type Env, getPageLocale, readBytes } from "#server/http/request.ts";
import { findShopTitle } from "#server/modules/catalogue/stored.ts";
import { closeOverdue } from "#server/modules/order/close.ts";
import { recordPayment } from "#server/modules/order/pay.ts";
import { link } from "#src/routes.ts";
import { findOrderByCashier } from "./sandbox.ts";

type Order = typeof orders.$inferSelect;

const cashierPolicy = getPagePolicy("self");

interface View {
  locale: Locale;
  /** Null when the URL was never issued. */
  order: Order | null;
  /** The last attempt failed. */
  failed: boolean;
  /** Origin of the site, for the link to the order page. */
  siteOrigin: string;
  /** The shop's name; empty before a catalogue has been applied. */
  shop: string;
}

/** Returns the page as HTML. */
function cashierPage({ locale, order, failed, siteOrigin, shop }: View): HtmlContent {
  const t = payment[locale];
  const other: Locale = locale === "zh-CN" ? "en-US" : "zh-CN";
  const languages = html`<a href="?lang=${other}" lang="${other}">${other === "zh-CN" ? "中文" : "English"}</a>`;
  const content = order
    ? orderHtml(order, failed, locale, siteOrigin)
    : html`<h1>${t.title}</h1><p class="state bad">${t.unknown}</p>`;
  const body = html`<main class="narrow"><header><b>${shop}</b>${languages}</header>${content}<p class="soft">${t.note}</p></main>`;
  return renderHtmlPage({ locale, title: shop ? `${t.title} | ${shop}` : t.title, body });
}

function orderHtml(order: Order, failed: boolean, locale: Locale, siteOrigin: string): HtmlContent[] {
  const t = payment[locale];
  const amount = new Intl.NumberFormat(locale, { style: "currency", currency: "CNY", currencyDisplay: "narrowSymbol" }).format(
    order.payFen / 100,
  );
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "Asia/Shanghai" }).format(order.payExpireAt);
  return [
    html`<h1>${amount}</h1><h2>${t.title}</h2>`,
    html`<p class="soft">${t.order} ${order.orderSn}</p>`,
    order.status === "pending" ? html`<p class="soft">${fill(t.until, { time })}</p>` : "",
    statusHtml(order, failed, locale),
    html`<form method="post" action="?lang=${locale}">${buttonsHtml(order, locale)}</form>`,
    order.status === "pending" ? "" : html`<p><a href="${siteOrigin}${orderPath(order, locale)}">${t.back}</a></p>`,
  ];
}

function statusHtml({ status, closeReason }: Order, failed: boolean, locale: Locale): HtmlContent {
  const t = payment[locale];
  const message = (text: string, bad = false) => html`<p class="state${bad ? " bad" : ""}" role="status">${text}</p>`;
  if (status === "pending") return failed ? message(t.failed, true) : "";
  if (status !== "closed") return message(t.paid);
  if (closeReason === "refund_due") return message(t.refundDue, true);
  return message(closeReason === "refunded" ? t.refunded : t.closed, true);
}

function buttonsHtml({ status, closeReason }: Order, locale: Locale): HtmlContent {
  const t = payment[locale];
  const button = (action: string, text: string, attribute: HtmlContent = "") =>
    html`<button name="action" value="${action}"${attribute}>${text}</button>`;
  const late = html`${button("late", t.late, html` aria-describedby="late"`)}<p class="soft" id="late">${t.lateNote}</p>`;
  if (status === "pending")
    return html`${button("pay", t.pay, html` class="go"`)}${button("fail", t.fail)}${button("expire", t.expire)}${late}`;
  return status === "closed" && closeReason === "expired" ? late : "";
}

function orderPath({ kind, orderSn }: Order, locale: Locale): string {
  return link(canonicalPrefix(locale), kind === "goods" ? "order" : "userOrder", { order_sn: orderSn });
}

/** Serves the sandbox's cashier pages: anyone with the URL can pay an order, fail its payment, let its time run out, or pay it too late. */
export function serveCashier(app: Hono<Env>, context: Context): void {
  app.on(["GET", "HEAD"], "/cashier/:cashier", async (c) => {
    const order = await findOrderByCashier(context.db, c.req.param("cashier"));
    return sendPage(c, order);
  });

  app.post("/cashier/:cashier", async (c) => {
    const cashier = c.req.param("cashier");
    const order = await findOrderByCashier(context.db, cashier);
    if (!order) return sendPage(c, null);
    const form = new URLSearchParams((await readBytes(c.req.raw)).toString("utf8"));
    const action = form.get("action");
    if (action === "pay") await pay(context, order);
    if (action === "expire" || action === "late") await expire(context, order);
    if (action === "late") await pay(context, order);
    // The redirect makes a reload a GET, which pays nothing.
    return c.redirect(`/cashier/${cashier}?lang=${getPageLocale(c)}${action === "fail" ? "&failed" : ""}`, 303);
  });

  async function sendPage(c: HonoContext<Env>, order: Order | null): Promise<Response> {
    c.header("Content-Security-Policy", cashierPolicy);
    const locale = getPageLocale(c);
    c.header("Content-Language", locale);
    const failed = c.req.query("failed") !== undefined;
    const siteOrigin = context.config.PUBLIC_SITE_ORIGIN ?? "";
    const shop = (await findShopTitle(context.db))?.[locale] ?? "";
    return c.html(cashierPage({ locale, order, failed, siteOrigin, shop }), order ? 200 : 404);
  }
}

async function pay(context: Context, { orderSn, payFen }: Order): Promise<void> {
  // One number per order: a repeated click is the same payment.
  const transactionId = `sandbox-${orderSn}`;
  await recordPayment(context, { tradeNo: orderSn, provider: "sandbox", transactionId, payFen, paidAt: context.now() });
}

/** Ends the order's time to pay now, and closes it. */
async function expire(context: Context, order: Order): Promise<void> {
  const at = context.now();
  await context.db
    .update(orders)
    .set({ payExpireAt: at })
    .where(and(eq(orders.orderSn, order.orderSn), eq(orders.status, "pending"), gt(orders.payExpireAt, at)));
  await closeOverdue(context, order.orderSn);
}
