import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { addressAdd, addressLists } from "../src/api/address.ts";
import type { DataOf } from "../src/api/call.ts";
import { codes } from "../src/api/envelope.ts";
import { login, sendCode } from "../src/api/login.ts";
import { mallCreateOrder, mallOrderList, mallPayCode, packageOrderLists, packagePayCode } from "../src/api/order.ts";
import { packageCreateOrder } from "../src/api/package.ts";

// A client of the demo member, for screenshots and benchmarks; the server must run with SMS=console.

const mobile = "13800138000";
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

export interface Demo {
  /** The localStorage of a member after login. */
  stored: { TOKEN: string; USER_INFO: string };
  call: CallServer;
}
type CallServer = <Data>(path: string, body?: object) => Promise<Data>;

/** Reads the demo member's login codes from the outbox in the server's data folder. */
async function readCodes(data: string): Promise<string[]> {
  const lines = (await readFile(join(data, "outbox.jsonl"), "utf8").catch(() => "")).split("\n").filter(Boolean);
  const messages: { to: string; code: string }[] = lines.map((line) => JSON.parse(line));
  return messages.filter(({ to }) => to === mobile).map(({ code }) => code);
}

/** Polls for the next code: the server responds before it writes to the outbox. */
async function nextCode(data: string, after: number): Promise<string> {
  for (let tries = 100; tries > 0; tries -= 1) {
    const sent = await readCodes(data);
    if (sent.length > after) return sent.at(-1) ?? "";
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no code arrived in ${data}/outbox.jsonl: check that this is the data folder of the server`);
}

/** Seconds to wait between codes to one number, which the server requires; longer than that is another limit, and an error. */
const longestPause = 120;

function createCall(origin: string, token: string): CallServer {
  const headers = { "content-type": "application/json", "device-type": "web", token };
  return async (path, body) => {
    const request = body && { method: "POST", body: JSON.stringify(body) };
    for (let attempt = 1; ; attempt += 1) {
      const { code, msg, data } = await (await fetch(new URL(path, origin), { headers, ...request })).json();
      if (code === codes.success) return data;
      const pause = code === codes.tooFrequent ? Number(data?.retry_after) : Number.NaN;
      if (attempt === 3 || !(pause <= longestPause)) throw new Error(`${path} returned ${code}: ${msg}`);
      await new Promise((resolve) => setTimeout(resolve, pause * 1000));
    }
  };
}

/** Logs the demo member in; `data` is the data folder of the server. */
export async function logInDemo(origin: string, data: string): Promise<Demo> {
  const call = createCall(origin, "");
  const before = (await readCodes(data)).length;
  await call(sendCode.path, { username: mobile });
  const payload = { username: mobile, verification_code: await nextCode(data, before) };
  const { token, info } = await call<DataOf<typeof login>>(login.path, payload);
  return { stored: { TOKEN: token, USER_INFO: JSON.stringify(info) }, call: createCall(origin, token) };
}
