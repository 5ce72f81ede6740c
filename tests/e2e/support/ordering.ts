import type { Page } from "@playwright/test";
import { ask } from "./call.ts";

const home = { name: "小满", mobile: "13800138000", region_code: "310104", detail: "龙腾大道 1 号", is_default: true };
const own = () => ({ quantity: 1, client_request_id: crypto.randomUUID() });

/** Gives the member an address and an order of a tote bag that waits for its payment; returns its number. */
export async function orderTote(page: Page): Promise<string> {
  const { list } = await ask(page, "/v1/address/add", home);
  const tote = { goods_uid: "tote", sku_uid: "tote", note: "", expected_pay_fen: 11_000 };
  return (await ask(page, "/v1/mall/createOrder", { ...own(), ...tote, address_id: list[0].address_id })).order_sn;
}

/** Gives the member an order of the smallest pass; returns its number. */
export async function orderPackage(page: Page): Promise<string> {
  const pass = { uid: "listener", expected_pay_fen: 9800 };
  return (await ask(page, "/v1/memberPackage/createOrder", { ...own(), ...pass })).order_sn;
}
