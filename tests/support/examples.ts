import * as v from "valibot";
import type { Locale } from "../../i18n/locale.ts";
import type { Example } from "../../server/docs/examples.ts";
import type { Call } from "../../src/api/call.ts";
import { contract } from "../../src/api/contract.ts";
import { client } from "./client.ts";
import { normalize } from "./normalize.ts";
import type { TestServer } from "./test-server.ts";

const mobile = "13900139000";
const concert = { Id: 1001 };

/** Values of earlier responses that later requests need. */
interface State {
  person: (typeof people)[Locale];
  token: string;
  code: string;
  address: string;
  mall: string;
  pass: string;
  app: string;
}

const people = {
  "zh-CN": { name: "小满", detail: "龙腾大道 1 号", moved: "龙腾大道 2 号" },
  "en-US": { name: "Lin Xiaoman", detail: "1 Longteng Avenue", moved: "2 Longteng Avenue" },
};
const address2 = { mobile, region_code: "310104", is_default: true };
const orderPayload = { quantity: 1, client_request_id: "example-0001" };

/** A valid payload for every call, in an order in which each finds its prerequisites. */
const payloads: Record<keyof typeof contract, (state: State) => object | undefined> = {
  sendCode: () => ({ username: mobile }),
  login: ({ code }) => ({ username: mobile, verification_code: code }),
  userInfo: () => undefined,
  regionInfo: () => ({ region_code: "310000" }),
  addressAdd: ({ person: { name, detail } }) => ({ name, ...address2, detail }),
  addressUp: ({ address, person: { name, moved } }) => ({ address_id: address, name, ...address2, detail: moved }),
  addressLists: () => undefined,
  goodsLists: () => undefined,
  goodsInfo: () => ({ goods_uid: "tote" }),
  mallCreateOrder: (state) => ({
    goods_uid: "tote",
    sku_uid: "tote",
    address_id: state.address,
    note: "",
    expected_pay_fen: 11_000,
    ...orderPayload,
  }),
  mallOrderList: () => ({ page: 1, page_size: 10 }),
  mallOrderInfo: ({ mall }) => ({ order_sn: mall }),
  mallPayCode: ({ mall }) => ({ order_sn: mall }),
  packageLists: () => undefined,
  packageInfo: () => ({ uid: "listener" }),
  packageCreateOrder: () => ({ uid: "listener", expected_pay_fen: 9800, ...orderPayload, client_request_id: "example-0002" }),
  packageOrderLists: () => undefined,
  packageOrderInfo: ({ pass }) => ({ order_sn: pass }),
  packagePayCode: ({ pass }) => ({ order_sn: pass }),
  bookingInfo: () => undefined,
  makeBooking: ({ person: { name } }) => ({ campaign: "spring", stop: "wuhan", name, mobile, party_size: 2, note: "" }),
  activityInfo: () => undefined,
  activityBooking: () => ({ activity_uid: "echo" }),
  userToken: () => ({}),
  getPlan: () => ({ id: concert.Id }),
  forward: ({ app }) => ({
    request_url: "/api/concert/setplan",
    request_method: "POST",
    request_header: { "content-type": "application/json", authorization: `Bearer ${app}` },
    request_data: { ...concert, IsPlan: true },
  }),
  // Runs last, because it deletes what other calls need.
  addressDel: (state) => ({ address_id: state.address }),
};

/** Makes every call of the contract and returns payloads and responses by the call's name. */
export async function recordExamples(server: TestServer, locale: Locale): Promise<Record<string, Example>> {
  const state: State = { person: people[locale], token: "", code: "", address: "", mall: "", pass: "", app: "" };
  const examples: Record<string, Example> = {};
  for (const [name, createPayload] of Object.entries(payloads)) {
    const call: Call = contract[toCallName(name)];
    const payload = createPayload(state);
    const { code, msg, data, text } = await client(server).send(call, payload, { token: state.token, locale });
    if (code !== 1) throw new Error(`${call.path} fails: ${text}`);
    await server.waitForDelivery();
    updateState(state, name, data, server.sentMessages.at(-1)?.code ?? "");
    examples[name] = { ...(payload ? { payload } : {}), answer: { code, msg, data } };
  }
  return normalize(sortByTable(examples));
}

/** Stores the values of a response that later requests need. */
function updateState(state: State, name: string, data: unknown, code: string): void {
  if (name === "sendCode") state.code = code;
  if (name === "login") state.token = v.parse(contract.login.data, data).token;
  if (name === "addressAdd") state.address = v.parse(contract.addressAdd.data, data).list[0]?.address_id ?? "";
  if (name === "mallCreateOrder") state.mall = v.parse(contract.mallCreateOrder.data, data).order_sn;
  if (name === "packageCreateOrder") state.pass = v.parse(contract.packageCreateOrder.data, data).order_sn;
  if (name === "userToken") state.app = v.parse(contract.userToken.data, data).app_user_token ?? "";
}

const isName = (name: string): name is keyof typeof contract => Object.hasOwn(contract, name);

function toCallName(name: string): keyof typeof contract {
  if (!isName(name)) throw new Error(`there is no call ${name}`);
  return name;
}

function sortByTable(examples: Record<string, Example>): Record<string, Example> {
  return Object.fromEntries(Object.keys(contract).flatMap((name) => (examples[name] ? [[name, examples[name]]] : [])));
}
