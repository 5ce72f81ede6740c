import { createTotePayload } from "./load.ts";
import { createLoadUsers, type LoadUser } from "./load-users.ts";
import { post } from "./server-process.ts";
import type { TwoServers } from "./two-servers.ts";

const create = "/v1/mall/createOrder";
const stock = "select stock from skus where uid = 'tote'";
const orderCount = "select count(*) from orders";

/** One member asks for the same order so often, all at once over both hosts. */
export async function sameRequest(servers: TwoServers, times: number) {
  const [visitor] = await createLoadUsers(servers.query, 1);
  if (!visitor) throw new Error("nobody came");
  const before = await servers.number(orderCount);
  const payload = createTotePayload(visitor.addressId);
  const answers = await Promise.all(
    Array.from({ length: times }, (_, n) => post(servers.origin(n), create, payload, visitor.token)),
  );
  return {
    answers: new Set(answers.map((answer) => JSON.stringify(answer))).size,
    successes: answers.filter(({ code }) => code === 1).length,
    orders: (await servers.number(orderCount)) - before,
  };
}

/** One member, who may have five, asks for so many different orders of one. */
export async function beyondLimit(servers: TwoServers, times: number) {
  const [visitor] = await createLoadUsers(servers.query, 1);
  if (!visitor) throw new Error("nobody came");
  const answers = await Promise.all(
    Array.from({ length: times }, (_, n) =>
      post(servers.origin(n), create, createTotePayload(visitor.addressId), visitor.token),
    ),
  );
  const made = answers.filter(({ code }) => code === 1).length;
  const refused = answers.filter(({ code }) => code === 30002).length;
  return { made, refused, other: times - made - refused };
}

interface Pending extends LoadUser {
  orderSn: string;
  cashier: string;
}

/** So many members, each with an order that waits to be paid. */
async function pendingOrders(servers: TwoServers, size: number): Promise<Pending[]> {
  const users = await createLoadUsers(servers.query, size);
  const orders: Pending[] = [];
  for (let from = 0; from < size; from += 50) {
    const made = users.slice(from, from + 50).map(async (visitor, n) => {
      const { data } = await post(servers.origin(n), create, createTotePayload(visitor.addressId), visitor.token);
      const body = { order_sn: data.order_sn };
      const code = await post(servers.origin(n + 1), "/v1/mall/genMiniProgramCodeBySn", body, visitor.token);
      return { ...visitor, orderSn: String(data.order_sn), cashier: new URL(code.data.link).pathname };
    });
    orders.push(...(await Promise.all(made)));
  }
  return orders;
}

/**
 * So many orders are paid on one host in the moment in which their time runs out on the other. `revivable`: money that comes late finds stock and limit.
 * `wrong` counts orders that are neither paid nor closed with the money owed back, `stockOff` the pieces by which the stock is not what it must be.
 */
export async function expiryAgainstPayment(servers: TwoServers, size: number, revivable: boolean) {
  await servers.query("update skus set stock = 100000 where uid = 'tote'");
  await servers.query("update goods set limit_per_member = 5 where uid = 'tote'");
  const orders = await pendingOrders(servers, size);
  const sns = orders.map(({ orderSn }) => orderSn);
  if (!revivable) await blockRevival(servers, sns);
  const before = await servers.number(stock);
  const soldBefore = await servers.number("select sold from goods where uid = 'tote'");
  const statuses = new Map<number, number>();
  for (let from = 0; from < size; from += 25) {
    const some = orders.slice(from, from + 25);
    await servers.query("update orders set pay_expire_at = now() where order_sn = any($1)", [
      some.map(({ orderSn }) => orderSn),
    ]);
    const acts = some.flatMap((order, n) => {
      const pay = () => payAt(servers.origin(n) + order.cashier);
      const read = () => post(servers.origin(n + 1), "/v1/mall/orderInfo", { order_sn: order.orderSn }, order.token);
      return Math.random() < 0.5 ? [pay, read] : [read, pay];
    });
    for (const { status } of await Promise.all(acts.map((act) => act()))) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  await servers.query("update goods set limit_per_member = 5 where uid = 'tote'");
  const rows = await servers.query("select * from orders where order_sn = any($1)", [sns]);
  const paid = rows.filter(({ status }) => status === "paid").length;
  const owed = rows.filter(({ status, close_reason }) => status === "closed" && close_reason === "refund_due").length;
  const returned = rows.filter(({ stock_returned_at }) => stock_returned_at !== null).length;
  return {
    ...{ paid, owed, wrong: size - paid - owed, returned },
    errors: [...statuses].filter(([status]) => status >= 400).reduce((sum, [, count]) => sum + count, 0),
    payments: await servers.number("select count(*) from payments"),
    stockOff: (await servers.number(stock)) - (before + owed),
    soldOff: (await servers.number("select sold from goods where uid = 'tote'")) - (soldBefore + paid),
  };
}

/** Each member has bought all that the limit leaves room for: an order that closes cannot be opened again. */
async function blockRevival(servers: TwoServers, sns: string[]): Promise<void> {
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

/** So many orders run out while both hosts sweep all the time; by how many pieces the stock is then off. */
export async function twoSweepers(servers: TwoServers, size: number) {
  const before = await servers.number(stock);
  const users = await createLoadUsers(servers.query, size);
  const made = await Promise.all(
    users.map((visitor, n) => post(servers.origin(n), create, createTotePayload(visitor.addressId), visitor.token)),
  );
  const sns = made.map(({ data }) => data.order_sn);
  const reserved = before - (await servers.number(stock));
  await servers.query("update orders set pay_expire_at = now() where order_sn = any($1)", [sns]);
  const open = async () =>
    (await servers.query("select from orders where status = 'pending' and order_sn = any($1)", [sns])).length;
  const deadline = Date.now() + 30_000;
  while ((await open()) > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  // Whoever came too late has had time to do harm.
  await new Promise((resolve) => setTimeout(resolve, 500));
  return { reserved, left: await open(), stockOff: (await servers.number(stock)) - before };
}

/** So many orders were shipped fourteen days ago, while both hosts sweep all the time: how often a completed one was written. */
export async function twoCompleters(servers: TwoServers, size: number) {
  const users = await createLoadUsers(servers.query, size);
  const made = await Promise.all(
    users.map((visitor, n) => post(servers.origin(n), create, createTotePayload(visitor.addressId), visitor.token)),
  );
  const sns = made.map(({ data }) => data.order_sn);
  await servers.query("create table written (order_sn text)");
  await servers.query(
    `create function note() returns trigger language plpgsql as $$ begin
       if new.status = 'completed' then insert into written values (new.order_sn); end if; return new; end $$`,
  );
  await servers.query("create trigger note after update on orders for each row execute function note()");
  await servers.query(
    `update orders set status = 'shipped', paid_at = now() - interval '15 days', shipped_at = now() - interval '14 days'
     where order_sn = any($1)`,
    [sns],
  );
  const open = () => servers.number("select count(*) from orders where status = 'shipped'");
  const deadline = Date.now() + 30_000;
  while ((await open()) > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  const figures = {
    left: await open(),
    completed: await servers.number("select count(*) from orders where status = 'completed'"),
    written: await servers.number("select count(*) from written"),
  };
  await servers.query("drop trigger note on orders");
  return figures;
}
