import type { GenericSchema } from "valibot";

/** Repeated texts that make regular expressions with adjacent repetitions slow. */
export const repeatedTexts: Record<string, string> = {
  blanks: " ",
  tabs: "\t",
  newlines: "\n",
  "blanks, tabs and newlines": " \t\r\n",
  "ideographic spaces": "\u3000",
  "zero-width spaces": "\u200b",
  "combining marks": "\u0301",
  digits: "1",
  dashes: "-",
  "surrogate pairs": "\u{1f3b5}",
};

/** Returns a body of at most `bytes` bytes around a text that repeats `text`; `createPayload` wraps it. */
export function createLargeBody(text: string, bytes: number, createPayload: (text: string) => object): string {
  const getSize = (text: string) => Buffer.byteLength(JSON.stringify(createPayload(text)));
  const emptySize = getSize("");
  const times = Math.floor((bytes - emptySize) / (getSize(text) - emptySize));
  return JSON.stringify(createPayload(text.repeat(times)));
}

/** A text field of a payload: its name, and a function that returns the payload with a text in it. */
export interface TextField {
  name: string;
  fill(text: string): Record<string, unknown>;
}

interface Node {
  type: string;
  entries?: Record<string, GenericSchema>;
  wrapped?: GenericSchema;
  value?: GenericSchema;
}

/** Returns every text field of a payload's schema at any depth, names of records included. `payload` is a valid one. */
export function textFields(schema: GenericSchema, payload: object): TextField[] {
  const node: Node = schema;
  if (node.wrapped) return textFields(node.wrapped, payload);
  const fields = Object.entries(node.entries ?? {}).flatMap(([name, entry]) =>
    fieldsIn(name, entry, Object.entries(payload).find(([key]) => key === name)?.[1]),
  );
  return fields.map(({ name, fill }) => ({ name, fill: (text) => ({ ...payload, ...fill(text) }) }));
}

function fieldsIn(name: string, schema: GenericSchema, value: unknown): TextField[] {
  const node: Node = schema;
  if (node.wrapped) return fieldsIn(name, node.wrapped, value);
  if (node.type === "string" || node.type === "unknown") return [{ name, fill: (text) => ({ [name]: text }) }];
  const inner = typeof value === "object" && value !== null ? value : {};
  if (node.type === "object") {
    return textFields(schema, inner).map((field) => ({
      name: `${name}.${field.name}`,
      fill: (text) => ({ [name]: field.fill(text) }),
    }));
  }
  if (node.type !== "record" || !node.value) return [];
  const names = { name: `a name in ${name}`, fill: (text: string) => ({ [name]: { ...inner, [text]: "x" } }) };
  const values = fieldsIn("x", node.value, undefined).map((field) => ({
    name: `a value in ${name}`,
    fill: (text: string) => ({ [name]: { ...inner, ...field.fill(text) } }),
  }));
  return [names, ...values];
}

const wrongValues: unknown[] = [null, -1, 1.5, "x", "", true, {}];

/** Yields copies of a value with one thing wrong each: a field missing or of another type. */
export function* mutations(value: unknown): Generator<unknown> {
  yield* wrongValues;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const other of mutations(item)) yield value.with(at, other);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      const { [name]: _gone, ...rest } = Object(value);
      yield rest;
      for (const other of mutations(field)) yield { ...value, [name]: other };
    }
  }
}

const order = { client_request_id: "fuzz-goods", expected_pay_fen: 11_000, quantity: 1 };
const passOrder = { client_request_id: "fuzz-pass", expected_pay_fen: 9800, quantity: 1 };
export const address = { name: "小满", mobile: "13800138000", region_code: "310104", detail: "Road 1", is_default: true };

/** A valid payload for each call, by path. Tests replace the placeholders in braces with ids. */
export const payloads: Record<string, object> = {
  "/v1/VerificationCode/send": { username: "13912345678" },
  "/v1/user/vcodeLogin": { username: "demo", verification_code: "{code}" },
  "/v1/user/info": {},
  "/v1/user/logout": {},
  "/v1/user/nickname": { nickname: "小满" },
  "/v1/memberPackage/lists": {},
  "/v1/memberPackage/goodsInfo": { uid: "regular" },
  "/v1/goods/allLists": {},
  "/v1/goods/info": { goods_uid: "vinyl" },
  "/v1/activity/info": {},
  "/v1/activity/booking": { activity_uid: "echo" },
  "/v1/booking/info": {},
  "/v1/booking/campaign": { campaign: "spring" },
  "/v1/order/cancel": { order_sn: "{order}" },
  "/v1/activity/cancel": { activity_uid: "slow" },
  "/v1/booking/cancel": { campaign: "spring" },
  "/v1/booking/makeBooking": {
    campaign: "spring",
    stop: "wuhan",
    name: "小满",
    mobile: "13800138000",
    party_size: 2,
    note: "a",
  },
  "/v1/region/info": { region_code: "310000" },
  "/v1/address/lists": {},
  "/v1/address/add": address,
  "/v1/address/up": { ...address, address_id: "{address}" },
  "/v1/address/del": { address_id: "{other address}" },
  "/v1/mall/createOrder": { ...order, goods_uid: "tote", sku_uid: "tote", address_id: "{address}", note: "a" },
  "/v1/mall/orderList": { page: 1, page_size: 10, search: "M27" },
  "/v1/mall/orderInfo": { order_sn: "{order}" },
  "/v1/mall/genMiniProgramCodeBySn": { order_sn: "{order}" },
  "/v1/memberPackage/createOrder": { ...passOrder, uid: "listener" },
  "/v1/order/lists": {},
  "/v1/order/info": { order_sn: "{pass}" },
  "/v1/memberPackage/genMiniProgramCodeBySn": { order_sn: "{pass}" },
  "/v1/marsx/userToken": {},
  "/v1/marsx/getplan": { id: 1001 },
  "/v1/main/forwardCallApi": {
    request_url: "/api/concert/setplan",
    request_method: "POST",
    request_header: { "content-type": "application/json", authorization: "Bearer {app token}" },
    request_data: { Id: 1001, IsPlan: true },
  },
};
