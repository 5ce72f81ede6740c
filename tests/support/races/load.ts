import { hash, randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import { expect } from "vitest";
import type { Call } from "#src/api/call.ts";
import { contract } from "#src/api/contract.ts";
import { clientAt } from "../client/client.ts";
import { newRequestId } from "../client/order.ts";
import { ledgerQuery, setStockSql } from "../database/catalogue.ts";
import { newPostgres } from "../database/database.ts";
import { newFolder, startServer, withPostgres } from "../processes/child-process.ts";
import { transaction } from "../stubs/wechat/transaction.ts";
import type { WechatStub } from "../stubs/wechat/wechat.ts";
import { type Mutation, mutateSources } from "./mutations.ts";

/** Multiplies the sizes of races, crashes, floods and fuzzing; `npm run test:long` sets it to 10. */
export const factor = Number(process.env.TEST_FACTOR ?? 1);

/** Repeats a race without its guard, at most 20 times. Returns whether it failed once. */
export async function failsOnce(runRace: () => Promise<boolean>): Promise<boolean> {
  for (let round = 0; round < 20; round += 1) if (await runRace()) return true;
  return false;
}

export type TwoServers = Awaited<ReturnType<typeof twoServers>>;

/** Starts two servers on one PostgreSQL, of sources with these mutations. */
export async function twoServers(mutations: Mutation[] = [], env: Record<string, string> = {}) {
  const folder = newFolder();
  const url = await newPostgres();
  const sources = mutations.length > 0 ? mutateSources(mutations) : undefined;
  const start = () => startServer({ ...withPostgres(url, folder), ...env }, sources);
  const [first, second] = await Promise.all([start(), start()]);
  /** Runs a statement and returns its rows. */
  const query = async (sql: string, values: unknown[] = []) => {
    const client = new Client(url);
    await client.connect();
    return (await client.query(sql, values).finally(() => client.end())).rows;
  };
  const number = async (sql: string) => Number(Object.values((await query(sql))[0] ?? {})[0]);
  /** Fails unless first stock and movements make up each stock. */
  const checkLedger = async () => expect(await query(ledgerQuery)).toEqual([]);
  const output = () => first.output() + second.output();
  return { checkLedger, folder, url, query, number, output, origin: (n: number) => (n % 2 ? first.origin : second.origin) };
}

/** A logged-in member with an address. */
export interface LoadUser {
  memberId: string;
  token: string;
  addressId: string;
}

let last = 0;

type Run = (sql: string, values: unknown[]) => Promise<unknown>;

/** Inserts members with a session and an address directly, because as many logins would take minutes. */
export async function createLoadUsers(run: Run, size: number): Promise<LoadUser[]> {
  const users = Array.from({ length: size }, () => ({
    memberId: randomUUID(),
    addressId: randomUUID(),
    token: randomBytes(32).toString("base64url"),
    mobile: `150${String(++last).padStart(8, "0")}`,
  }));
  const ids = users.map(({ memberId }) => memberId);
  const hashes = users.map(({ token }) => hash("sha256", token));
  await run(
    `insert into members (id, mobile, nickname, activated, created_at)
     select id, mobile, 'x', true, now() from unnest($1::uuid[], $2::text[]) as crowd (id, mobile)`,
    [ids, users.map(({ mobile }) => mobile)],
  );
  await run(
    `insert into sessions (member_id, token_hash, created_at, seen_at, expires_at)
     select id, hash, now(), now(), now() + interval '1 day' from unnest($1::uuid[], $2::text[]) as crowd (id, hash)`,
    [ids, hashes],
  );
  await run(
    `insert into addresses (id, member_id, name, mobile, region_code, detail, is_default, created_at)
     select address, id, '小满', '13800138000', '310104', 'Road 1', true, now() from unnest($1::uuid[], $2::uuid[]) as crowd (id, address)`,
    [ids, users.map(({ addressId }) => addressId)],
  );
  return users;
}

interface ScarceResource {
  row: Call;
  payload(user: LoadUser): object;
  /** The code returned when none is left. */
  soldOutCode: number;
  /** Returns SQL that leaves `count` of them. */
  setLeft(count: number): string;
  /** SQL that counts how many are left and how many are taken. */
  remainingQuery: string;
  taken: string;
  /** The database constraint, which tests drop to test the clause alone. */
  constraint: [table: string, name: string];
}

/** Resources of limited stock. */
export const scarceResources: Record<"goods" | "packages" | "seats" | "places", ScarceResource> = {
  goods: {
    row: contract.mallCreateOrder,
    payload: ({ addressId }) => createTotePayload(addressId),
    soldOutCode: 30001,
    setLeft: (count) => setStockSql("skus", "tote", count),
    remainingQuery: "select stock from skus where uid = 'tote'",
    taken: "select count(*) from orders join order_lines using (order_sn) where uid = 'tote' and status <> 'closed'",
    constraint: ["skus", "skus_stock"],
  },
  packages: {
    row: contract.packageCreateOrder,
    payload: () => ({ uid: "all-access", quantity: 1, expected_pay_fen: 69_800, client_request_id: newRequestId() }),
    soldOutCode: 30001,
    setLeft: (count) => setStockSql("packages", "all-access", count),
    remainingQuery: "select stock from packages where uid = 'all-access'",
    taken: "select count(*) from orders join order_lines using (order_sn) where uid = 'all-access' and status <> 'closed'",
    constraint: ["packages", "packages_stock"],
  },
  seats: {
    row: contract.activityBooking,
    payload: () => ({ activity_uid: "echo" }),
    soldOutCode: 50001,
    setLeft: (count) => `update activities set booked = capacity - ${count} where uid = 'echo'`,
    remainingQuery: "select capacity - booked from activities where uid = 'echo'",
    taken: "select count(*) from activity_bookings where activity_uid = 'echo'",
    constraint: ["activities", "activities_places"],
  },
  places: {
    row: contract.makeBooking,
    payload: () => ({ campaign: "spring", stop: "wuhan", name: "小满", mobile: "13800138000", party_size: 1 }),
    soldOutCode: 50001,
    setLeft: (count) => `update stops set taken = capacity - ${count} where stop = 'wuhan'`,
    remainingQuery: "select capacity - taken from stops where stop = 'wuhan'",
    taken: "select count(*) from bookings where stop = 'wuhan'",
    constraint: ["stops", "stops_places"],
  },
};

/** Returns the payload of an order of one tote. */
export const createTotePayload = (address_id: string) => ({
  goods_uid: "tote",
  sku_uid: "tote",
  quantity: 1,
  address_id,
  expected_pay_fen: 11_000,
  client_request_id: newRequestId(),
});

/** Lets `buyers` members buy the last `stock` at once at both servers, and returns the responses' counts and the database's. */
export async function buyConcurrently(servers: TwoServers, name: keyof typeof scarceResources, stock: number, buyers: number) {
  const resource = scarceResources[name];
  const before = await servers.number(resource.taken);
  await servers.query(resource.setLeft(stock));
  const users = await createLoadUsers(servers.query, buyers);
  const responses = await Promise.all(
    users.map((user, n) => clientAt(servers.origin(n)).send(resource.row, resource.payload(user), { token: user.token })),
  );
  const count = (expectedCode: number) =>
    responses.filter(({ code, status }) => code === expectedCode && status === 200).length;
  const served = count(1);
  const soldOut = count(resource.soldOutCode);
  const left = await servers.number(resource.remainingQuery);
  const taken = (await servers.number(resource.taken)) - before;
  return { served, soldOut, other: buyers - served - soldOut, left, taken };
}

/** Lets pieces that come back belong to no order: its movements then do not show that they came back before. */
export async function forgetReturns(servers: TwoServers): Promise<void> {
  await servers.query(
    "create function forget() returns trigger language plpgsql as $$ begin new.order_sn = null; return new; end $$",
  );
  await servers.query(
    `create trigger forget before insert on stock_movements for each row
     when (new.cause in ('expiry', 'cancellation', 'refund')) execute function forget()`,
  );
}

/** Drops the database constraint, so that only the clause under test remains. */
export async function dropConstraint(servers: TwoServers, [relation, name]: [table: string, name: string]): Promise<void> {
  await servers.query(`alter table ${relation} drop constraint ${name}`);
}

/** Sends `each` notices for each of `size` payments to both servers, shuffled, with duplicates and forgeries. */
export async function sendShuffledNotices(servers: TwoServers, wechat: WechatStub, size: number, each: number) {
  await servers.query(setStockSql("skus", "tote", 100_000));
  const soldBefore = await servers.number("select sold from goods where uid = 'tote'");
  const users = await createLoadUsers(servers.query, size);
  const orders = await Promise.all(
    users.map((user, n) =>
      clientAt(servers.origin(n)).call(contract.mallCreateOrder, createTotePayload(user.addressId), { token: user.token }),
    ),
  );
  const sns = orders.map(({ order_sn }) => order_sn);
  const genuine = sns.flatMap((orderSn) => {
    const payment = transaction(orderSn, 11_000);
    // Repeats the same notice and adds others of the same payment.
    const first = wechat.notice(payment);
    return Array.from({ length: each }, (_, n) => (n % 2 ? first : wechat.notice(payment)));
  });
  const forged = sns.slice(0, 30).map((orderSn) => wechat.notice(transaction(orderSn, 11_000), { stranger: true }));
  const all = [...genuine.map((notice) => ({ notice, status: 200 })), ...forged.map((notice) => ({ notice, status: 401 }))];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const otherIndex = Math.floor(Math.random() * (at + 1));
    const [left, right] = [all[at], all[otherIndex]];
    if (left && right) [all[at], all[otherIndex]] = [right, left];
  }
  let unexpected = 0;
  for (let from = 0; from < all.length; from += 50) {
    const batch = all.slice(from, from + 50).map(async ({ notice, status }, n) => {
      const response = await fetch(`${servers.origin(n)}/pay/wechat/notice`, {
        method: "POST",
        headers: notice.headers,
        body: notice.body,
      });
      await response.arrayBuffer();
      if (response.status !== status) unexpected += 1;
    });
    await Promise.all(batch);
  }
  const rows = await servers.query("select status from orders where order_sn = any($1)", [sns]);
  return {
    unexpected,
    paid: rows.filter(({ status }) => status === "paid").length,
    payments: (await servers.query("select from payments where order_sn = any($1)", [sns])).length,
    sold: (await servers.number("select sold from goods where uid = 'tote'")) - soldBefore,
  };
}
