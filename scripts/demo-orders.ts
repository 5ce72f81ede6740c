import { randomUUID } from "node:crypto";
import { addressAdd, addressLists } from "../src/api/address.ts";
import type { DataOf } from "../src/api/call.ts";
import { mallCreateOrder, mallOrderList, mallPayCode, packageOrderLists, packagePayCode } from "../src/api/order.ts";
import { packageCreateOrder } from "../src/api/package.ts";
import type { Demo } from "./demo.ts";

const home = { name: "小满", mobile: "13800138000", region_code: "310104", detail: "龙腾大道 1 号", is_default: true };
const calls = {
  mall: { list: mallOrderList, create: mallCreateOrder, payCode: mallPayCode },
  package: { list: packageOrderLists, create: packageCreateOrder, payCode: packagePayCode },
};
type Kind = keyof typeof calls;

/** Returns functions that find or create the demo member's orders by kind and state, from the demo catalogue, paid at the sandbox's cashier. */
export async function demoOrders({ call }: Demo, origin: string) {
  let addresses = await call<DataOf<typeof addressLists>>(addressLists.path);
  if (addresses.list.length === 0) addresses = await call(addressAdd.path, home);
  const address_id = addresses.list[0]?.address_id;
  const payloads = {
    mall: { goods_uid: "tote", sku_uid: "tote", quantity: 1, address_id, note: "", expected_pay_fen: 11_000 },
    package: { uid: "listener", quantity: 1, expected_pay_fen: 9800 },
  };

  const list = async (kind: Kind) =>
    (
      await call<DataOf<typeof packageOrderLists>>(
        calls[kind].list.path,
        kind === "mall" ? { page: 1, page_size: 50 } : undefined,
      )
    ).list;
  const create = async (kind: Kind) =>
    (
      await call<DataOf<typeof mallCreateOrder>>(calls[kind].create.path, {
        ...payloads[kind],
        client_request_id: randomUUID(),
      })
    ).order_sn;
  const pay = async (kind: Kind, order_sn: string) => {
    const { link } = await call<DataOf<typeof mallPayCode>>(calls[kind].payCode.path, { order_sn });
    if (link === null) throw new Error("the pay code has no link: the server must run with PAYMENT=sandbox");
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
