import { gather, type Visitor } from "./load-users.ts";
import { newRequest } from "./order.ts";
import { post } from "./server-process.ts";
import type { TwoServers } from "./two-servers.ts";

interface Thing {
  path: string;
  payload(visitor: Visitor): object;
  /** What is said when there is no more. */
  gone: number;
  /** Leaves so many. */
  leave(last: number): string;
  /** How many are left, and how many are taken, by the rows that say so. */
  left: string;
  taken: string;
  /** The database's own check, which a test of the clause alone takes away. */
  check: [table: string, name: string];
}

/** What is scarce. */
export const things: Record<"goods" | "packages" | "seats" | "places", Thing> = {
  goods: {
    path: "/v1/mall/createOrder",
    payload: ({ addressId }) => toteFor(addressId),
    gone: 30001,
    leave: (last) => `update skus set stock = ${last} where uid = 'tote'`,
    left: "select stock from skus where uid = 'tote'",
    taken: "select count(*) from orders join order_lines using (order_sn) where uid = 'tote' and status <> 'closed'",
    check: ["skus", "skus_stock"],
  },
  packages: {
    path: "/v1/memberPackage/createOrder",
    payload: () => ({ uid: "all-access", quantity: 1, expected_pay_fen: 69_800, client_request_id: newRequest() }),
    gone: 30001,
    leave: (last) => `update packages set stock = ${last} where uid = 'all-access'`,
    left: "select stock from packages where uid = 'all-access'",
    taken: "select count(*) from orders join order_lines using (order_sn) where uid = 'all-access' and status <> 'closed'",
    check: ["packages", "packages_stock"],
  },
  seats: {
    path: "/v1/activity/booking",
    payload: () => ({ activity_uid: "echo" }),
    gone: 50001,
    leave: (last) => `update activities set booked = capacity - ${last} where uid = 'echo'`,
    left: "select capacity - booked from activities where uid = 'echo'",
    taken: "select count(*) from activity_bookings where activity_uid = 'echo'",
    check: ["activities", "activities_places"],
  },
  places: {
    path: "/v1/booking/makeBooking",
    payload: () => ({ campaign: "spring", stop: "wuhan", name: "小满", mobile: "13800138000", party_size: 1 }),
    gone: 50001,
    leave: (last) => `update stops set taken = capacity - ${last} where stop = 'wuhan'`,
    left: "select capacity - taken from stops where stop = 'wuhan'",
    taken: "select count(*) from bookings where stop = 'wuhan'",
    check: ["stops", "stops_places"],
  },
};

/** One tote. */
export const toteFor = (address_id: string) => ({
  ...{ goods_uid: "tote", sku_uid: "tote", quantity: 1, address_id, expected_pay_fen: 11_000 },
  client_request_id: newRequest(),
});

/** So many buyers for the last so many, all at once over both hosts: what they were told, and what the database then says. */
export async function rush(servers: TwoServers, name: keyof typeof things, last: number, buyers: number) {
  const thing = things[name];
  const before = await servers.number(thing.taken);
  await servers.query(thing.leave(last));
  const crowd = await gather(servers.query, buyers);
  const answers = await Promise.all(
    crowd.map((visitor, n) => post(servers.origin(n), thing.path, thing.payload(visitor), visitor.token)),
  );
  const said = (wanted: number) => answers.filter(({ code, status }) => code === wanted && status === 200).length;
  const served = said(1);
  const gone = said(thing.gone);
  const left = await servers.number(thing.left);
  const taken = (await servers.number(thing.taken)) - before;
  return { served, gone, other: buyers - served - gone, left, taken };
}

/** Takes the database's own check away, so that only the clause is left that a test takes out. */
export async function dropCheck(servers: TwoServers, [table, name]: [table: string, name: string]): Promise<void> {
  await servers.query(`alter table ${table} drop constraint ${name}`);
}
