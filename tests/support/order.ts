import { eq } from "drizzle-orm";
import { goods, skus } from "../../server/db/schema/goods.ts";
import { members } from "../../server/db/schema/member.ts";
import type { Ask, TestServer } from "./test-server.ts";
import { newMobile } from "./test-server.ts";

export const addressPayload = {
  name: "小满",
  mobile: "13800138000",
  region_code: "310104",
  detail: "龙腾大道 1 号",
  is_default: false,
};

let last = 0;
/** Returns an unused `client_request_id`. */
export const newRequestId = () => `request-${process.pid}-${++last}`;

export type Buyer = Awaited<ReturnType<typeof createBuyer>>;

/** Creates a member with an address, and helpers for that member's orders. */
export async function createBuyer(server: TestServer, mobile = newMobile()) {
  const token = await server.logIn(mobile);
  const ask = (path: string, body?: object, options: Ask = {}) =>
    server.ask(path, { token, ...(body === undefined ? {} : { body }), ...options });
  const { data } = await ask("/v1/address/add", addressPayload);
  const address_id: string = data.list[0].address_id;
  const [member] = await server.db.select().from(members).where(eq(members.mobile, mobile));
  if (!member) throw new Error("no member");

  const getKind = (orderSn: string) => (orderSn.startsWith("M") ? "mall" : "package");
  const paths = {
    mall: { info: "/v1/mall/orderInfo", code: "/v1/mall/genMiniProgramCodeBySn" },
    package: { info: "/v1/order/info", code: "/v1/memberPackage/genMiniProgramCodeBySn" },
  };
  /** One tote at ¥98 with ¥12 of postage, unless changed. */
  const itemPayload = (changes: object = {}) => ({
    goods_uid: "tote",
    sku_uid: "tote",
    quantity: 1,
    address_id,
    note: "",
    expected_pay_fen: 11_000,
    client_request_id: newRequestId(),
    ...changes,
  });
  const packagePayload = (changes: object = {}) => ({
    uid: "listener",
    quantity: 1,
    expected_pay_fen: 9800,
    client_request_id: newRequestId(),
    ...changes,
  });
  const order = (changes: object = {}) => ask("/v1/mall/createOrder", itemPayload(changes));
  const orderPackage = (changes: object = {}) => ask("/v1/memberPackage/createOrder", packagePayload(changes));
  const info = (orderSn: string, options: Ask = {}) => ask(paths[getKind(orderSn)].info, { order_sn: orderSn }, options);
  const code = (orderSn: string, options: Ask = {}) => ask(paths[getKind(orderSn)].code, { order_sn: orderSn }, options);
  /** Returns the cashier's path from the pay code. */
  const cashier = async (orderSn: string) => new URL((await code(orderSn)).data.link).pathname;
  const pay = async (orderSn: string) => submitCashier(server, await cashier(orderSn), "pay");
  const payOrder = async (answer: { code: number; text: string; data: { order_sn: string } }) => {
    if (answer.code !== 1) throw new Error(`no order: ${answer.text}`);
    await pay(answer.data.order_sn);
    return answer.data.order_sn;
  };
  return {
    token,
    mobile,
    memberId: member.id,
    address_id,
    ask,
    itemPayload,
    packagePayload,
    order,
    orderPackage,
    info,
    code,
    cashier,
    pay,
    buy: async (changes: object = {}) => payOrder(await order(changes)),
    buyPackage: async (changes: object = {}) => payOrder(await orderPackage(changes)),
  };
}

export async function submitCashier(server: TestServer, path: string, action: string): Promise<Response> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return server.fetch(new Request(`http://host.test${path}`, { method: "POST", headers, body: `action=${action}` }));
}

/** Changes price, stock or availability of the tote, as an operator does. */
export async function changeTote(
  server: TestServer,
  change: { stock?: number; payFen?: number; onSale?: boolean },
): Promise<void> {
  const { onSale, ...sku } = change;
  if (onSale !== undefined) await server.db.update(goods).set({ onSale }).where(eq(goods.uid, "tote"));
  if (Object.keys(sku).length > 0) await server.db.update(skus).set(sku).where(eq(skus.uid, "tote"));
}
