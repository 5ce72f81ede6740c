import * as v from "valibot";
import type { Locale } from "#i18n/locale.ts";
import type { Example } from "#server/docs/operation.ts";
import type { Call } from "#src/api/call.ts";
import { contract } from "#src/api/contract.ts";
import { client } from "../client/client.ts";
import type { TestServer } from "../processes/test-server.ts";

/** Patterns of random values and their fixed replacements, so that two recordings are equal. */
const rules: [pattern: RegExp, createReplacement: (n: number) => string][] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (n) => `0198a7c4-3b52-4e1d-9f60-${String(n).padStart(12, "0")}`],
  [/(?<=[MV]\d{12})[0-9A-HJKMNP-TV-Z]{8}/g, (n) => `7KQ2M9X${n % 10}`],
  [/(?<="check_in_code":")[^"]+/g, () => "7KQ2M9XD"],
  [/(?<="token":")[^"]+/g, () => "Zk1x9vQ2mT0aLr8sYb3hNc6dWe5uJf7gKp4iOq1zXtA"],
  [/(?<="app_user_token":"|Bearer )[^"]+/g, () => "Hs7uB2kTq9VdXe4mRz1cLw8yNf5aGj3pQo6iSt0vEuM"],
  [/(?<="chat_token":")[^"]+/g, () => "Pd5wJ8nAe2ZrKy6tCb9qFm3xVg1hUs7oLi4kTz0cRwY"],
  [/(?<="verification_code":")\d{6}/g, () => "135790"],
  [/(?<=\/cashier\/)[A-Za-z0-9_-]+/g, () => "Mx4bT7vEq1YcRn9sHd2kWz6uGa8jLf5pOe3iKt0rSvQ"],
  [/(?<="\/pictures\/)[0-9a-f]{12}/g, (n) => `3f9c1d0b7a${String(n).padStart(2, "0")}`],
  [/(?<=data:image\/[a-z+]+[;,])[^"]{60,}/g, () => "…"],
];

/** Replaces random values of a recording and cuts its lists to two items. */
function normalize<Recording>(recording: Recording): Recording {
  let text = JSON.stringify(recording, (_key, value) => (Array.isArray(value) ? value.slice(0, 2) : value));
  for (const [pattern, createReplacement] of rules) {
    const replacements = new Map<string, string>();
    text = text.replace(pattern, (match) => {
      const replacement = replacements.get(match) ?? createReplacement(replacements.size + 1);
      replacements.set(match, replacement);
      return replacement;
    });
  }
  return JSON.parse(text);
}

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
  goodsInfo: () => ({ goods_uid: "cassette-slow" }),
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
  bookingCampaign: () => ({ campaign: "spring" }),
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
  userNickname: ({ person: { name } }) => ({ nickname: name }),
  // Run last, because they end what other calls need.
  orderCancel: ({ pass }) => ({ order_sn: pass }),
  activityCancel: () => ({ activity_uid: "echo" }),
  bookingCancel: () => ({ campaign: "spring" }),
  addressDel: (state) => ({ address_id: state.address }),
  logout: () => ({}),
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
