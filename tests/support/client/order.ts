import { setTimeout } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { goods, skus } from "#server/db/schema/catalogue.ts";
import { addresses, members } from "#server/db/schema/member.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import { setStock } from "../database/catalogue.ts";
import { createTestServer, newMobile, type TestServer } from "../processes/test-server.ts";
import type { Mutation } from "../races/mutations.ts";
import { signAlwaysBy } from "../stubs/wechat/keys.ts";
import { transaction } from "../stubs/wechat/transaction.ts";
import { startWechat, type WechatStub } from "../stubs/wechat/wechat.ts";
import { type CallOptions, client, clientAt } from "./client.ts";

export const addressPayload = {
  name: "小满",
  mobile: "13800138000",
  region_code: "310104",
  detail: "龙腾大道 1 号",
  is_default: false,
};

/** Gives saved addresses the code of a region that was offered when they were saved; `name` picks those of one recipient. */
export async function setRegionCode({ db }: TestServer, regionCode: string, name?: string): Promise<void> {
  await db
    .update(addresses)
    .set({ regionCode })
    .where(name === undefined ? undefined : eq(addresses.name, name));
}

type Engine = Parameters<typeof createTestServer>[0];

let last = 0;
/** Returns an unused `client_request_id`. */
export const newRequestId = () => `request-${process.pid}-${++last}`;

export type Buyer = Awaited<ReturnType<typeof createBuyer>>;

/** Creates a member with an address, and helpers for that member's orders. */
export async function createBuyer(server: TestServer, mobile = newMobile()) {
  const token = await server.logIn(mobile);
  const { call, send, error } = client(server, { token });
  const { list } = await call(contract.addressAdd, addressPayload);
  const address_id = list[0]?.address_id ?? "";
  const [member] = await server.db.select().from(members).where(eq(members.mobile, mobile));
  if (!member) throw new Error("no member");

  const rows = (orderSn: string) =>
    orderSn.startsWith("M")
      ? { info: contract.mallOrderInfo, payCode: contract.mallPayCode }
      : { info: contract.packageOrderInfo, payCode: contract.packagePayCode };
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
  /** Create an order and return its number. */
  const order = async (changes?: object) => (await call(contract.mallCreateOrder, itemPayload(changes))).order_sn;
  const orderPackage = async (changes?: object) => (await call(contract.packageCreateOrder, packagePayload(changes))).order_sn;
  const sendOrder = (changes?: object) => send(contract.mallCreateOrder, itemPayload(changes));
  const sendPackageOrder = (changes?: object) => send(contract.packageCreateOrder, packagePayload(changes));
  const info = async (order_sn: string, options?: CallOptions) => (await call(rows(order_sn).info, { order_sn }, options)).info;
  const payCode = (order_sn: string, options?: CallOptions) => call(rows(order_sn).payCode, { order_sn }, options);
  const sendPayCode = (order_sn: string) => send(rows(order_sn).payCode, { order_sn });
  /** Returns the cashier's path from the pay code. */
  const cashier = async (order_sn: string) => new URL((await payCode(order_sn)).link ?? "").pathname;
  const pay = async (order_sn: string) => {
    await submitCashier(server, await cashier(order_sn), "pay");
    return order_sn;
  };
  return {
    token,
    mobile,
    memberId: member.id,
    address_id,
    call,
    send,
    error,
    itemPayload,
    packagePayload,
    order,
    orderPackage,
    sendOrder,
    sendPackageOrder,
    info,
    payCode,
    sendPayCode,
    cashier,
    pay,
    buy: async (changes?: object) => pay(await order(changes)),
    buyPackage: async (changes?: object) => pay(await orderPackage(changes)),
  };
}

/** Creates a server and a buyer. */
export async function withBuyer(engine: Engine, options?: Parameters<typeof createTestServer>[1]) {
  const server = await createTestServer(engine, options);
  return { server, buyer: await createBuyer(server) };
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
  const { onSale, stock, payFen } = change;
  if (onSale !== undefined) await server.db.update(goods).set({ onSale }).where(eq(goods.uid, "tote"));
  if (payFen !== undefined) await server.db.update(skus).set({ payFen }).where(eq(skus.uid, "tote"));
  if (stock !== undefined) await setStock(server.db, "skus", "tote", stock);
}

export async function hasItem(origin: string, goods_uid: string): Promise<boolean> {
  const { code, text } = await clientAt(origin).send(contract.goodsInfo, { goods_uid });
  if (code !== codes.success && code !== codes.notFound) throw new Error(`the item ${goods_uid} cannot be read: ${text}`);
  return code === codes.success;
}

/** Orders an item without variants at the server at `origin`, for a price with postage; returns the address of its picture. */
export async function orderItem(origin: string, token: string, uid: string, expected_pay_fen: number): Promise<string> {
  const { call } = clientAt(origin, { token });
  const { list } = await call(contract.addressAdd, addressPayload);
  const item = { goods_uid: uid, sku_uid: uid, quantity: 1, address_id: list[0]?.address_id ?? "", note: "" };
  const { order_sn } = await call(contract.mallCreateOrder, { ...item, expected_pay_fen, client_request_id: newRequestId() });
  const { info } = await call(contract.mallOrderInfo, { order_sn });
  return info.items[0]?.image.url ?? "";
}

interface Reading {
  uid: string;
  /** No other item has it. */
  title: string;
  /** Whether the change may come at any moment: from then on it reads without a pause. */
  isNear: () => boolean;
}

/** Reads page and API of an item until a command ends; returns what does not belong together. */
export async function readItemUntil(command: Promise<unknown>, origin: string, { uid, title, isNear }: Reading) {
  const faults = new Set<string>();
  let isRunning = true;
  let reads = 0;
  const ended = command.finally(() => {
    isRunning = false;
  });
  for (; isRunning; reads += 1) {
    if (!isNear()) await setTimeout(500);
    const hadItem = await hasItem(origin, uid);
    const page = await fetch(`${origin}/mall/item/${uid}`);
    // The page for items that the build does not know has no title.
    const isBuilt = (await page.text()).includes(title);
    if (hadItem && page.status !== 200) faults.add(`is known, but its page has the status ${page.status}`);
    if (isBuilt && !(await hasItem(origin, uid))) faults.add("has a page, but is unknown");
    for (const path of ["/", "/mall"]) {
      const { status } = await fetch(origin + path);
      if (status !== 200) faults.add(`${path} has the status ${status}`);
    }
  }
  await ended;
  return { faults: [...faults], reads };
}

interface Notice {
  headers: Record<string, string>;
  body: string;
}

/** Creates servers that share one WeChat stub, whose clock is that of the newest server. */
export async function createWechatServers() {
  let server: TestServer | null = null;
  const wechat: WechatStub = await startWechat(() => server?.now().getTime() ?? Date.now());

  async function withBuyer(engine: Engine, env: Record<string, string> = {}, mutations: Mutation[] = []) {
    const created = await createTestServer(engine, { env: { ...wechat.env, ...env }, mutations });
    server = created;
    const { payments, openPayments, refundStub, prepayStub } = wechat;
    for (const map of [payments, openPayments, refundStub.refunds, prepayStub.orders]) map.clear();
    for (const list of [
      wechat.requests.queries,
      wechat.requests.closings,
      wechat.requests.serials,
      wechat.refundStub.requests.creations,
      wechat.refundStub.requests.queries,
      wechat.billStub.requests.days,
    ])
      list.length = 0;
    wechat.shippingStub.reset();
    Object.assign(wechat.behaviour, {
      hang: false,
      intercept: null,
      unsigned: false,
      down: false,
      gate: null,
      prepayGate: null,
      prepayResponse: null,
      forgery: {},
    });
    Object.assign(wechat.signing, signAlwaysBy(wechat.payKeys.publicKey.id));
    Object.assign(wechat.refundStub.behaviour, { status: "PROCESSING", refusal: null });
    Object.assign(wechat.billStub.behaviour, { refusal: null, forge: (text: string) => text, write: (text: string) => text });
    const post = async (notice: Notice) => {
      const request = new Request("http://host.test/pay/wechat/notice", { method: "POST", ...notice });
      const response = await created.fetch(request);
      return { status: response.status, code: (await response.json()).code };
    };
    return { server: created, buyer: await createBuyer(created), post };
  }

  /** Records a payment at WeChat without sending a notice. */
  function pay(orderSn: string, payFen = 11_000, changes: object = {}) {
    const payment = transaction(orderSn, payFen, changes);
    wechat.payments.set(orderSn, payment);
    return payment;
  }

  return { wechat, withBuyer, pay };
}
