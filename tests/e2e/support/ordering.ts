import type { Page } from "@playwright/test";
import { contract } from "../../../src/api/contract.ts";
import { callServer } from "./call.ts";

const address = { name: "小满", mobile: "13800138000", region_code: "310104", detail: "龙腾大道 1 号", is_default: true };
const createRequestFields = () => ({ quantity: 1, client_request_id: crypto.randomUUID() });

/** Adds an address and a pending order of a tote bag; returns the order number. */
export async function orderTote(page: Page): Promise<string> {
  const { list } = await callServer(page, contract.addressAdd, address);
  const tote = { goods_uid: "tote", sku_uid: "tote", note: "", expected_pay_fen: 11_000 };
  return (
    await callServer(page, contract.mallCreateOrder, { ...createRequestFields(), ...tote, address_id: list[0]?.address_id })
  ).order_sn;
}

/** Adds a pending order of the smallest package; returns the order number. */
export async function orderPackage(page: Page): Promise<string> {
  const fields = { uid: "listener", expected_pay_fen: 9800 };
  return (await callServer(page, contract.packageCreateOrder, { ...createRequestFields(), ...fields })).order_sn;
}
