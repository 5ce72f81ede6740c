import { randomUUID } from "node:crypto";
import type { Demo } from "./demo.ts";

interface Order {
  order_sn: string;
  status: string;
}

const home = { name: "小满", mobile: "13800138000", region_code: "310104", detail: "龙腾大道 1 号", is_default: true };
const calls = {
  mall: { list: "/v1/mall/orderList", create: "/v1/mall/createOrder", code: "/v1/mall/genMiniProgramCodeBySn" },
  package: {
    list: "/v1/order/lists",
    create: "/v1/memberPackage/createOrder",
    code: "/v1/memberPackage/genMiniProgramCodeBySn",
  },
} as const;
type Kind = keyof typeof calls;

/** Returns functions that find or create the demo member's orders by kind and state, from the demo catalogue, paid at the sandbox's cashier. */
export async function demoOrders({ call }: Demo, origin: string) {
  let addresses = await call<{ list: { address_id: string }[] }>("/v1/address/lists");
  if (addresses.list.length === 0) addresses = await call("/v1/address/add", home);
  const address_id = addresses.list[0]?.address_id;
  const payloads = {
    mall: { goods_uid: "tote", sku_uid: "tote", quantity: 1, address_id, note: "", expected_pay_fen: 11_000 },
    package: { uid: "listener", quantity: 1, expected_pay_fen: 9800 },
  };

  const list = async (kind: Kind) =>
    (await call<{ list: Order[] }>(calls[kind].list, kind === "mall" ? { page: 1, page_size: 50 } : undefined)).list;
  const create = async (kind: Kind) =>
    (await call<Order>(calls[kind].create, { ...payloads[kind], client_request_id: randomUUID() })).order_sn;
  const pay = async (kind: Kind, order_sn: string) => {
    const { link } = await call<{ link: string }>(calls[kind].code, { order_sn });
    const body = new URLSearchParams({ action: "pay" });
    await fetch(new URL(new URL(link).pathname, origin), { method: "POST", body, redirect: "manual" });
    return order_sn;
  };
  const allInState = async (kind: Kind, status: string) =>
    (await list(kind)).filter((order) => order.status === status).map(({ order_sn }) => order_sn);
  const inState = async (kind: Kind, status: string) => (await allInState(kind, status))[0] ?? null;

  return {
    pending: async (kind: Kind) => (await inState(kind, "pending")) ?? create(kind),
    paid: async (kind: Kind) => (await inState(kind, "paid")) ?? pay(kind, await create(kind)),
    /** A second paid order: the number of one item per member is limited. */
    spare: async (kind: Kind) => (await allInState(kind, "paid"))[1] ?? pay(kind, await create(kind)),
    inState,
  };
}
