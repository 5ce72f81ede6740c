import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { activityBooking, activityInfo } from "#src/api/activity.ts";
import { addressAdd, addressLists } from "#src/api/address.ts";
import { bookingInfo, makeBooking } from "#src/api/booking.ts";
import type { Call, DataOf } from "#src/api/call.ts";
import { forward, userToken } from "#src/api/concert.ts";
import { codes } from "#src/api/envelope.ts";
import { goodsInfo, goodsLists } from "#src/api/goods.ts";
import { login, sendCode } from "#src/api/login.ts";
import {
  mallCreateOrder,
  mallOrderList,
  mallPayCode,
  type Order,
  orderCancel,
  packageOrderLists,
  packagePayCode,
} from "#src/api/order.ts";
import { calculatePostage } from "#src/api/order-rules.ts";
import { packageCreateOrder, packageInfo, packageLists } from "#src/api/package.ts";
import { concertId } from "#src/api/paths.ts";

// A client of a member; the server must run with SMS=console.

const demoMobile = "13800138000";
const home = { name: "小满", mobile: demoMobile, region_code: "310104", detail: "龙腾大道 1 号", is_default: true };
const calls = {
  mall: { create: mallCreateOrder, payCode: mallPayCode },
  package: { create: packageCreateOrder, payCode: packagePayCode },
};
type Kind = keyof typeof calls;

/** Returns the item and variant that a member may buy most of, and the pass for the least money, each with its price. Throws when the shop sells neither. */
async function chooseWares({ call }: Caller) {
  const goods = (await call(goodsLists)).list.filter((one) => one.on_sale);
  const { goods_uid = "" } = goods.sort((a, b) => b.limit_per_member - a.limit_per_member)[0] ?? {};
  const passes = (await call(packageLists)).list.filter((one) => one.on_sale);
  const { uid = "" } = passes.sort((a, b) => a.price_fen - b.price_fen)[0] ?? {};
  const { info, postage } = await call(goodsInfo, { goods_uid });
  const sku = info.skus.sort((a, b) => b.stock - a.stock)[0];
  if (!sku) throw new Error(`${goods_uid} has no variant`);
  const pass = await call(packageInfo, { uid });
  return {
    mall: {
      goods_uid,
      sku_uid: sku.sku_uid,
      quantity: 1,
      expected_pay_fen: sku.pay_fen + calculatePostage(sku.pay_fen, postage),
    },
    package: { uid, quantity: 1, expected_pay_fen: pass.info.pay_fen },
  };
}

/** Returns functions that find or create a member's orders by kind and state, paid at the sandbox's cashier. */
export async function demoOrders(demo: Caller, origin: string) {
  const { call } = demo;
  let addresses = await call(addressLists);
  if (addresses.list.length === 0) addresses = await call(addressAdd, home);
  const address_id = addresses.list[0]?.address_id;

  const list = async (kind: Kind): Promise<Order[]> =>
    (kind === "mall" ? await call(mallOrderList, { page: 1, page_size: 50 }) : await call(packageOrderLists)).list;
  const create = async (kind: Kind) => {
    const wares = await chooseWares(demo);
    const payload = kind === "mall" ? { ...wares.mall, address_id, note: "" } : wares.package;
    const request = { ...payload, client_request_id: randomUUID() };
    return (await call(calls[kind].create, request)).order_sn;
  };
  const pay = async (kind: Kind, order_sn: string) => {
    const { link } = await call(calls[kind].payCode, { order_sn });
    if (link === null) throw new Error("the pay code has no link: the server must run with PAYMENT=sandbox");
    const body = new URLSearchParams({ action: "pay" });
    await fetch(new URL(new URL(link).pathname, origin), { method: "POST", body, redirect: "manual" });
    return order_sn;
  };
  const cancel = async (order_sn: string) => {
    await call(orderCancel, { order_sn });
    return order_sn;
  };
  const find = async (kind: Kind, matches: (order: Order) => boolean) => (await list(kind)).find(matches)?.order_sn ?? null;
  const inState = (kind: Kind, status: string) => find(kind, (order) => order.status === status);

  return {
    pending: async (kind: Kind) => (await inState(kind, "pending")) ?? create(kind),
    paid: async (kind: Kind) => (await inState(kind, "paid")) ?? pay(kind, await create(kind)),
    cancelled: async (kind: Kind) => (await find(kind, (order) => Boolean(order.cancelled_at))) ?? cancel(await create(kind)),
    /** A new paid order. */
    spare: async (kind: Kind) => pay(kind, await create(kind)),
    find,
    /** The item and variant of these orders, as a query of the checkout: `tote?sku=tote&quantity=1`. */
    getCheckout: async () => {
      const { goods_uid, sku_uid } = (await chooseWares(demo)).mall;
      return `${goods_uid}?sku=${sku_uid}&quantity=1`;
    },
  };
}

/** Books a place at a show and one on the tour, and joins the concert plan, as far as the shop has them. Returns the uids of the show, and of one with places left. */
export async function bookDemo({ call }: Caller): Promise<{ booked?: string; open?: string }> {
  const { list } = await call(activityInfo);
  const isBooked = (uid: string) =>
    call(activityBooking, { activity_uid: uid }).then(
      () => true,
      () => false,
    );
  let booked = list.find((one) => one.my_status === "booked")?.activity_uid;
  for (const { activity_uid } of list) if (!booked && (await isBooked(activity_uid))) booked = activity_uid;
  const open = list.find((one) => one.status === "open" && one.activity_uid !== booked)?.activity_uid;

  const tour = await call(bookingInfo).catch(() => null);
  const now = Date.parse(tour?.server_time ?? "");
  const stop = tour?.campaign.stops.find((one) => one.places_left > 1 && Date.parse(one.starts_at) > now);
  const names = { name: home.name, mobile: demoMobile, party_size: 2 };
  if (tour && !tour.booking && stop)
    await call(makeBooking, { campaign: tour.campaign.uid, stop: stop.stop, ...names }).catch(() => {});

  const { app_user_token } = await call(userToken, {});
  await call(forward, {
    request_url: "/api/concert/setplan",
    request_method: "POST",
    request_header: { "content-type": "application/json", authorization: `Bearer ${app_user_token}` },
    request_data: { Id: concertId, IsPlan: true },
  }).catch(() => {});
  return { ...(booked && { booked }), ...(open && { open }) };
}

export interface Demo {
  /** The localStorage of a member after login. */
  stored: { TOKEN: string; USER_INFO: string };
  call: CallServer;
}
type Caller = Pick<Demo, "call">;
type CallServer = <C extends Call>(row: C, payload?: object) => Promise<DataOf<C>>;

/** Reads the login codes of a number from the outbox in the server's data folder. */
async function readCodes(data: string, mobile: string): Promise<string[]> {
  const lines = (await readFile(join(data, "outbox.jsonl"), "utf8").catch(() => "")).split("\n").filter(Boolean);
  const messages: { to: string; code: string }[] = lines.map((line) => JSON.parse(line));
  return messages.filter(({ to }) => to === mobile).map(({ code }) => code);
}

/** Polls for the next code: the server responds before it writes to the outbox. */
async function nextCode(data: string, mobile: string, after: number): Promise<string> {
  for (let tries = 100; tries > 0; tries -= 1) {
    const sent = await readCodes(data, mobile);
    if (sent.length > after) return sent.at(-1) ?? "";
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no code arrived in ${data}/outbox.jsonl: check that this is the data folder of the server`);
}

/** Seconds to wait between codes to one number, which the server requires; longer than that is another limit, and an error. */
const longestPause = 120;

function createCall(origin: string, token: string): CallServer {
  const headers = { "content-type": "application/json", "device-type": "web", token };
  return async ({ path, method }, payload = {}) => {
    const request = { method, headers, ...(method === "POST" && { body: JSON.stringify(payload) }) };
    for (let attempt = 1; ; attempt += 1) {
      const { code, msg, data } = await (await fetch(new URL(path, origin), request)).json();
      if (code === codes.success) return data;
      const pause = code === codes.tooFrequent ? Number(data?.retry_after) : Number.NaN;
      if (attempt === 3 || !(pause <= longestPause)) throw new Error(`${path} returned ${code}: ${msg}`);
      await new Promise((resolve) => setTimeout(resolve, pause * 1000));
    }
  };
}

/** Logs a member in, by default the demo's; `data` is the data folder of the server. */
export async function logInDemo(origin: string, data: string, mobile = demoMobile): Promise<Demo> {
  const call = createCall(origin, "");
  const before = (await readCodes(data, mobile)).length;
  await call(sendCode, { username: mobile });
  const payload = { username: mobile, verification_code: await nextCode(data, mobile, before) };
  const { token, info } = await call(login, payload);
  return { stored: { TOKEN: token, USER_INFO: JSON.stringify(info) }, call: createCall(origin, token) };
}
