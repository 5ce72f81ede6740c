import { and, eq, gt } from "drizzle-orm";
import type { Hono, Context as HonoContext } from "hono";
import type { Context } from "../context.ts";
import { orders } from "../db/schema/order.ts";
import { readBytes } from "../http/body.ts";
import type { Env } from "../http/env.ts";
import { getPageLocale } from "../http/locale.ts";
import { closeOverdue } from "../modules/order/expire.ts";
import { recordPayment } from "../modules/order/pay.ts";
import { cashierPage, cashierPolicy } from "./cashier-page.ts";
import { findOrderByCashier } from "./sandbox.ts";

type Order = typeof orders.$inferSelect;

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

  function sendPage(c: HonoContext<Env>, order: Order | null): Response | Promise<Response> {
    c.header("Content-Security-Policy", cashierPolicy);
    const locale = getPageLocale(c);
    c.header("Content-Language", locale);
    const failed = c.req.query("failed") !== undefined;
    const siteOrigin = context.config.PUBLIC_SITE_ORIGIN ?? "";
    return c.html(cashierPage({ locale, order, failed, siteOrigin }), order ? 200 : 404);
  }
}

async function pay(context: Context, { orderSn, payFen }: Order): Promise<void> {
  // One number per order: a repeated click is the same payment.
  const transactionId = `sandbox-${orderSn}`;
  await recordPayment(context, { orderSn, provider: "sandbox", transactionId, payFen, paidAt: context.now() });
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
