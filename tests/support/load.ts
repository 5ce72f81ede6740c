import type { Call } from "../../src/api/call.ts";
import { contract } from "../../src/api/contract.ts";
import { clientAt } from "./client.ts";
import { createLoadUsers, type LoadUser } from "./load-users.ts";
import { newRequestId } from "./order.ts";
import type { TwoServers } from "./two-servers.ts";

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
    setLeft: (count) => `update skus set stock = ${count} where uid = 'tote'`,
    remainingQuery: "select stock from skus where uid = 'tote'",
    taken: "select count(*) from orders join order_lines using (order_sn) where uid = 'tote' and status <> 'closed'",
    constraint: ["skus", "skus_stock"],
  },
  packages: {
    row: contract.packageCreateOrder,
    payload: () => ({ uid: "all-access", quantity: 1, expected_pay_fen: 69_800, client_request_id: newRequestId() }),
    soldOutCode: 30001,
    setLeft: (count) => `update packages set stock = ${count} where uid = 'all-access'`,
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

/** Drops the database constraint, so that only the clause under test remains. */
export async function dropConstraint(servers: TwoServers, [relation, name]: [table: string, name: string]): Promise<void> {
  await servers.query(`alter table ${relation} drop constraint ${name}`);
}
