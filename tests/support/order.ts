import { eq } from "drizzle-orm";
import { goods, skus } from "../../server/db/schema/goods.ts";
import { members } from "../../server/db/schema/member.ts";
import type { Ask, TestServer } from "./test-server.ts";
import { newMobile } from "./test-server.ts";

export const home = {
  name: "小满",
  mobile: "13800138000",
  region_code: "310104",
  detail: "龙腾大道 1 号",
  is_default: false,
};

let last = 0;
/** A `client_request_id` that was never used. */
export const newRequest = () => `request-${process.pid}-${++last}`;

export type Buyer = Awaited<ReturnType<typeof newBuyer>>;

/** A member with an address, and what such a member does with orders. */
export async function newBuyer(server: TestServer, mobile = newMobile()) {
  const token = await server.logIn(mobile);
  const ask = (path: string, body?: object, how: Ask = {}) =>
    server.ask(path, { token, ...(body === undefined ? {} : { body }), ...how });
  const { data } = await ask("/v1/address/add", home);
  const address_id: string = data.list[0].address_id;
  const [member] = await server.db.select().from(members).where(eq(members.mobile, mobile));
  if (!member) throw new Error("no member");

  const kindOf = (orderSn: string) => (orderSn.startsWith("M") ? "mall" : "package");
  const paths = {
    mall: { info: "/v1/mall/orderInfo", code: "/v1/mall/genMiniProgramCodeBySn" },
    package: { info: "/v1/order/info", code: "/v1/memberPackage/genMiniProgramCodeBySn" },
  };
  /** The tote at ¥98 with ¥12 of postage, unless told otherwise. */
  const goods = (wanted: object = {}) => ({
    ...{ goods_uid: "tote", sku_uid: "tote", quantity: 1, address_id, note: "" },
    ...{ expected_pay_fen: 11_000, client_request_id: newRequest() },
    ...wanted,
  });
  const pass = (wanted: object = {}) => ({
    ...{ uid: "listener", quantity: 1, expected_pay_fen: 9800, client_request_id: newRequest() },
    ...wanted,
  });
  const order = (wanted: object = {}) => ask("/v1/mall/createOrder", goods(wanted));
  const orderPass = (wanted: object = {}) => ask("/v1/memberPackage/createOrder", pass(wanted));
  const info = (orderSn: string, how: Ask = {}) => ask(paths[kindOf(orderSn)].info, { order_sn: orderSn }, how);
  const code = (orderSn: string, how: Ask = {}) => ask(paths[kindOf(orderSn)].code, { order_sn: orderSn }, how);
  /** At the cashier, whose address the pay code gave. */
  const cashier = async (orderSn: string) => new URL((await code(orderSn)).data.link).pathname;
  const pay = async (orderSn: string) => atCashier(server, await cashier(orderSn), "pay");
  const bought = async (answer: { code: number; text: string; data: { order_sn: string } }) => {
    if (answer.code !== 1) throw new Error(`no order: ${answer.text}`);
    await pay(answer.data.order_sn);
    return answer.data.order_sn;
  };
  return {
    ...{ token, mobile, memberId: member.id, address_id, ask, goods, pass, order, orderPass, info, code, cashier, pay },
    buy: async (wanted: object = {}) => bought(await order(wanted)),
    buyPass: async (wanted: object = {}) => bought(await orderPass(wanted)),
  };
}

export async function atCashier(server: TestServer, path: string, action: string): Promise<Response> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return server.fetch(new Request(`http://host.test${path}`, { method: "POST", headers, body: `action=${action}` }));
}

/** What the operator changes about the tote. */
export async function reshelve(
  server: TestServer,
  change: { stock?: number; payFen?: number; onSale?: boolean },
): Promise<void> {
  const { onSale, ...sku } = change;
  if (onSale !== undefined) await server.db.update(goods).set({ onSale }).where(eq(goods.uid, "tote"));
  if (Object.keys(sku).length > 0) await server.db.update(skus).set(sku).where(eq(skus.uid, "tote"));
}
