import { and, eq, gt } from "drizzle-orm";
import type { Hono, Context as HonoContext } from "hono";
import type { Context } from "../context.ts";
import { orders } from "../db/schema/order.ts";
import { readBytes } from "../http/body.ts";
import type { Env } from "../http/env.ts";
import { getPageLocale } from "../http/locale.ts";
import { closeOverdue } from "../modules/order/close.ts";
import { recordPayment } from "../modules/order/pay.ts";
import { cashierPage, cashierPolicy } from "./cashier-page.ts";
import { orderAtCashier } from "./sandbox.ts";

type Order = NonNullable<Awaited<ReturnType<typeof orderAtCashier>>>;

/** The sandbox's cashier: whoever has the address may pay, let the payment fail, let the time run out, or pay too late. */
export function serveCashier(app: Hono<Env>, context: Context): void {
  app.on(["GET", "HEAD"], "/cashier/:cashier", async (c) => {
    const order = await orderAtCashier(context, c.req.param("cashier"));
    return show(c, order);
  });

  app.post("/cashier/:cashier", async (c) => {
    const cashier = c.req.param("cashier");
    const order = await orderAtCashier(context, cashier);
    if (!order) return show(c, null);
    const form = new URLSearchParams((await readBytes(c.req.raw)).toString("utf8"));
    const action = form.get("action");
    if (action === "pay") await pay(context, order);
    if (action === "expire" || action === "late") await runOut(context, order);
    if (action === "late") await pay(context, order);
    // Seen again by GET, so that a reload pays nothing.
    return c.redirect(`/cashier/${cashier}?lang=${getPageLocale(c)}${action === "fail" ? "&failed" : ""}`, 303);
  });

  function show(c: HonoContext<Env>, order: Order | null): Response {
    c.header("Content-Security-Policy", cashierPolicy);
    const locale = getPageLocale(c);
    c.header("Content-Language", locale);
    const failed = c.req.query("failed") !== undefined;
    const siteOrigin = context.config.PUBLIC_SITE_ORIGIN ?? "";
    return c.html(cashierPage({ locale, order, failed, siteOrigin }), order ? 200 : 404);
  }
}

async function pay(context: Context, { orderSn, payFen }: Order): Promise<void> {
  // However often the button is pressed, it is the same payment.
  const transactionId = `sandbox-${orderSn}`;
  await recordPayment(context, { orderSn, provider: "sandbox", transactionId, payFen, paidAt: context.now() });
}

/** Ends the order's time, as half an hour would. */
async function runOut(context: Context, order: Order): Promise<void> {
  const at = context.now();
  await context.db
    .update(orders)
    .set({ payExpireAt: at })
    .where(and(eq(orders.orderSn, order.orderSn), eq(orders.status, "pending"), gt(orders.payExpireAt, at)));
  await closeOverdue(context, order.orderSn);
}
