import { contract } from "#src/api/contract.ts";
import { clientAt } from "../client/client.ts";
import { setStockSql } from "../database/catalogue.ts";
import { transaction } from "../stubs/wechat/transaction.ts";
import type { WechatStub } from "../stubs/wechat/wechat.ts";
import { createLoadUsers, createTotePayload, type LoadUser, type TwoServers } from "./load.ts";

const stock = "select stock from skus where uid = 'tote'";
const orderCount = "select count(*) from orders";

/** Sends an order of one tote as `user`, alternating between both servers by `serverIndex`. */
const orderTote = (servers: TwoServers, user: LoadUser, serverIndex: number, payload = createTotePayload(user.addressId)) =>
  clientAt(servers.origin(serverIndex), { token: user.token }).send(contract.mallCreateOrder, payload);

/** Creates one order per user, spread over both servers, and returns their numbers. */
async function createOrders(servers: TwoServers, users: LoadUser[]): Promise<string[]> {
  const orders = users.map((user, n) =>
    clientAt(servers.origin(n), { token: user.token }).call(contract.mallCreateOrder, createTotePayload(user.addressId)),
  );
  return (await Promise.all(orders)).map(({ order_sn }) => order_sn);
}

/** Sends the same order `times` times at once for one member, spread over both servers. */
export async function sendSameRequest(servers: TwoServers, times: number) {
  const [user] = await createLoadUsers(servers.query, 1);
  if (!user) throw new Error("no user");
  const before = await servers.number(orderCount);
  const payload = createTotePayload(user.addressId);
  const responses = await Promise.all(Array.from({ length: times }, (_, n) => orderTote(servers, user, n, payload)));
  return {
    distinctResponses: new Set(responses.map(({ status, text }) => `${status} ${text}`)).size,
    successes: responses.filter(({ code }) => code === 1).length,
    orders: (await servers.number(orderCount)) - before,
  };
}

/** Sends `times` different orders of one item at once for a member whose limit is five. */
export async function orderOverLimit(servers: TwoServers, times: number) {
  const [user] = await createLoadUsers(servers.query, 1);
  if (!user) throw new Error("no user");
  const responses = await Promise.all(Array.from({ length: times }, (_, n) => orderTote(servers, user, n)));
  const created = responses.filter(({ code }) => code === 1).length;
  const rejected = responses.filter(({ code }) => code === 30002).length;
  return { created, rejected, other: times - created - rejected };
}

/** Cancels three of a member's five orders, which are the limit, while `times` others are sent, then sends others until one is refused. */
export async function orderDuringCancellation(servers: TwoServers, times: number) {
  const before = await servers.number(stock);
  const [user] = await createLoadUsers(servers.query, 1);
  if (!user) throw new Error("no user");
  const sns = await createOrders(
    servers,
    Array.from({ length: 5 }, () => user),
  );
  const cancel = (order_sn: string, n: number) =>
    clientAt(servers.origin(n), { token: user.token }).send(contract.orderCancel, { order_sn });
  const responses = await Promise.all([
    ...sns.slice(0, 3).map(cancel),
    ...Array.from({ length: times }, (_, n) => orderTote(servers, user, n)),
  ]);
  while ((await orderTote(servers, user, 0)).code === 1);
  return {
    cancelled: responses.slice(0, 3).filter(({ code }) => code === 1).length,
    other: responses.filter(({ code }) => code !== 1 && code !== 30002).length,
    open: (await servers.query("select from orders where status <> 'closed' and member_id = $1", [user.memberId])).length,
    reserved: before - (await servers.number(stock)),
  };
}

/**
 * Cancels `size` orders at both servers while a query of each one's page is under way, whose response is late. After these queries arrived, every second order
 * was paid at WeChat, which sends no notice.
 */
export async function cancelDuringPolls(servers: TwoServers, wechat: WechatStub, size: number) {
  const before = await servers.number(stock);
  const users = await createLoadUsers(servers.query, size);
  const sns = await createOrders(servers, users);
  const send = (row: typeof contract.orderCancel | typeof contract.mallOrderInfo, n: number, serverIndex: number) =>
    clientAt(servers.origin(serverIndex), { token: users[n]?.token }).send(row, { order_sn: sns[n] });
  const indices = sns.map((_, n) => n);
  const { behaviour, requests, payments } = wechat;
  const arrived = requests.queries.length + size;
  let openGate = () => {};
  behaviour.gate = new Promise((resolve) => (openGate = resolve));
  const polls = indices.map((n) => send(contract.mallOrderInfo, n, n));
  while (requests.queries.length < arrived) await new Promise((resolve) => setTimeout(resolve, 5));
  behaviour.gate = null;
  for (const sn of sns.filter((_, n) => n % 2)) payments.set(sn, transaction(sn, 11_000));
  const cancellations = indices.flatMap((n) => [send(contract.orderCancel, n, n), send(contract.orderCancel, n, n + 1)]);
  openGate();
  const responses = await Promise.all(cancellations);
  await Promise.all(polls);
  const rows = await servers.query("select status, cancelled_at from orders where order_sn = any($1)", [sns]);
  return {
    cancelled: responses.filter(({ code }) => code === 1).length / 2,
    refused: responses.filter(({ code }) => code === 40002).length / 2,
    paid: rows.filter(({ status }) => status === "paid").length,
    reserved: before - (await servers.number(stock)),
  };
}

interface PendingOrder extends LoadUser {
  orderSn: string;
  cashierPath: string;
}

/** Creates `size` members with one pending order each. */
async function createPendingOrders(servers: TwoServers, size: number): Promise<PendingOrder[]> {
  const users = await createLoadUsers(servers.query, size);
  const orders: PendingOrder[] = [];
  for (let from = 0; from < size; from += 50) {
    const batch = users.slice(from, from + 50);
    const orderSns = await createOrders(servers, batch);
    const pending = batch.map(async (user, n) => {
      const orderSn = orderSns[n] ?? "";
      const { call } = clientAt(servers.origin(n + 1), { token: user.token });
      const { link } = await call(contract.mallPayCode, { order_sn: orderSn });
      return { ...user, orderSn, cashierPath: new URL(link ?? "").pathname };
    });
    orders.push(...(await Promise.all(pending)));
  }
  return orders;
}

/**
 * Pays `size` orders at one server while they expire, or are cancelled, at the other. `revivable`: stock and limit allow a late payment to reopen its order.
 * `wrong` counts orders that are neither paid nor closed with a refund due, `stockDifference` the difference from the expected stock.
 */
export async function payDuring(servers: TwoServers, ending: "expiry" | "cancellation", size: number, revivable: boolean) {
  await servers.query(setStockSql("skus", "tote", 100_000));
  await servers.query("update goods set limit_per_member = 5 where uid = 'tote'");
  const orders = await createPendingOrders(servers, size);
  const sns = orders.map(({ orderSn }) => orderSn);
  if (!revivable) await exhaustLimit(servers, sns);
  const before = await servers.number(stock);
  const soldBefore = await servers.number("select sold from goods where uid = 'tote'");
  const statuses = new Map<number, number>();
  for (let from = 0; from < size; from += 25) {
    const batch = orders.slice(from, from + 25);
    if (ending === "expiry")
      await servers.query("update orders set pay_expire_at = now() where order_sn = any($1)", [
        batch.map(({ orderSn }) => orderSn),
      ]);
    const call = ending === "expiry" ? contract.mallOrderInfo : contract.orderCancel;
    const requests = batch.flatMap((order, n) => {
      const pay = () => payAt(servers.origin(n) + order.cashierPath);
      const end = () => clientAt(servers.origin(n + 1)).send(call, { order_sn: order.orderSn }, { token: order.token });
      return Math.random() < 0.5 ? [pay, end] : [end, pay, end];
    });
    for (const { status } of await Promise.all(requests.map((request) => request()))) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  await servers.query("update goods set limit_per_member = 5 where uid = 'tote'");
  const rows = await servers.query("select * from orders where order_sn = any($1)", [sns]);
  const paid = rows.filter(({ status }) => status === "paid").length;
  const refundDue = rows.filter(({ status, close_reason }) => status === "closed" && close_reason === "refund_due").length;
  const returned = rows.filter(({ stock_returned_at }) => stock_returned_at !== null).length;
  return {
    paid,
    refundDue,
    wrong: size - paid - refundDue,
    returned,
    errors: [...statuses].filter(([status]) => status >= 400).reduce((sum, [, count]) => sum + count, 0),
    payments: await servers.number("select count(*) from payments"),
    stockDifference: (await servers.number(stock)) - (before + refundDue),
    soldDifference: (await servers.number("select sold from goods where uid = 'tote'")) - (soldBefore + paid),
  };
}

/** Uses up every member's limit, so that a closed order cannot be reopened. */
async function exhaustLimit(servers: TwoServers, sns: string[]): Promise<void> {
  await servers.query("update goods set limit_per_member = 1 where uid = 'tote'");
  await servers.query(
    `with mine as (select *, 'M' || lpad(floor(random() * 1e12)::bigint::text, 12, '0') || 'BBBBBBBB' as sn from orders where order_sn = any($1)),
     more as (
       insert into orders (order_sn, member_id, kind, status, goods_fen, postage_fen, pay_fen, address, created_at, pay_expire_at, paid_at)
       select sn, member_id, kind, 'paid', goods_fen, postage_fen, pay_fen, address, created_at, pay_expire_at, now() from mine
     )
     insert into order_lines (order_sn, uid, sku_uid, title, spec, image, pay_fen, quantity)
     select sn, uid, sku_uid, title, spec, image, order_lines.pay_fen, quantity from mine join order_lines using (order_sn)`,
    [sns],
  );
}

async function payAt(url: string): Promise<{ status: number }> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const { status } = await fetch(url, { method: "POST", headers, body: "action=pay", redirect: "manual" });
  return { status };
}

/** Lets `size` orders expire while both servers run the scheduler continuously, and returns the difference in stock. */
export async function expireUnderTwoSchedulers(servers: TwoServers, size: number) {
  const before = await servers.number(stock);
  const users = await createLoadUsers(servers.query, size);
  const sns = await createOrders(servers, users);
  const reserved = before - (await servers.number(stock));
  await servers.query("update orders set pay_expire_at = now() where order_sn = any($1)", [sns]);
  const countPending = async () =>
    (await servers.query("select from orders where status = 'pending' and order_sn = any($1)", [sns])).length;
  const deadline = Date.now() + 30_000;
  while ((await countPending()) > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  // Waits for late transactions.
  await new Promise((resolve) => setTimeout(resolve, 500));
  return { reserved, left: await countPending(), stockDifference: (await servers.number(stock)) - before };
}

/** Completes `size` orders shipped 14 days ago while both servers run the scheduler continuously, and counts the writes. */
export async function completeUnderTwoSchedulers(servers: TwoServers, size: number) {
  const users = await createLoadUsers(servers.query, size);
  const sns = await createOrders(servers, users);
  await servers.query("create table completions (order_sn text)");
  await servers.query(
    `create function note() returns trigger language plpgsql as $$ begin
       if new.status = 'completed' then insert into completions values (new.order_sn); end if; return new; end $$`,
  );
  await servers.query("create trigger note after update on orders for each row execute function note()");
  await servers.query(
    `update orders set status = 'shipped', paid_at = now() - interval '15 days', shipped_at = now() - interval '14 days'
     where order_sn = any($1)`,
    [sns],
  );
  const countShipped = () => servers.number("select count(*) from orders where status = 'shipped'");
  const deadline = Date.now() + 30_000;
  while ((await countShipped()) > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  const figures = {
    left: await countShipped(),
    completed: await servers.number("select count(*) from orders where status = 'completed'"),
    completions: await servers.number("select count(*) from completions"),
  };
  await servers.query("drop trigger note on orders");
  return figures;
}
