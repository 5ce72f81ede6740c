import type { Asked, Fault, Given } from "./faulty-proxy.ts";
import type { Answer } from "./test-server.ts";

type Data = Answer["data"];
interface Written {
  code: number;
  msg?: string;
  data: Data;
}

const read = (text: string): Written => (text.startsWith("{") ? JSON.parse(text) : { code: 0, data: null });
const write = (given: Given, envelope: unknown): Given => ({ ...given, text: JSON.stringify(envelope) });

/** Changes the envelopes of the paths that fit. */
const inEnvelope =
  (paths: RegExp, change: (envelope: Written, asked: Asked) => unknown): Fault =>
  async (asked, next) => {
    const given = await next(asked);
    return paths.test(asked.path) && given.text ? write(given, change(read(given.text), asked)) : given;
  };

/** Changes the data of successes on the paths that fit. */
const inData = (paths: RegExp, change: (data: Data, asked: Asked) => Data) =>
  inEnvelope(paths, (envelope, asked) =>
    envelope.code === 1 ? { ...envelope, data: change(envelope.data, asked) } : envelope,
  );

/** Every value under a key of that name, however deep. */
function under(value: Data, key: RegExp, change: (held: Data) => Data): Data {
  return JSON.parse(JSON.stringify(value, (name, held) => (key.test(name) && held !== null ? change(held) : held)));
}

const withHeader =
  (name: string, value: string | null): Fault =>
  async (asked, next) => {
    const given = await next(asked);
    const headers = new Headers(given.headers);
    if (value === null) headers.delete(name);
    else headers.set(name, value);
    return { ...given, headers };
  };

/** Remembers the last success on a path, and gives it again where the host would refuse. */
const replayed = (paths: RegExp, code: number, sameAs: (asked: Asked) => string): Fault => {
  const kept = new Map<string, Given>();
  return async (asked, next) => {
    const given = await next(asked);
    if (!paths.test(asked.path)) return given;
    const envelope = read(given.text);
    if (envelope.code === 1) kept.set(sameAs(asked), given);
    return envelope.code === code ? (kept.get(sameAs(asked)) ?? given) : given;
  };
};

const bodyOf = (asked: Asked): Data => read(asked.body);
const withBody = (asked: Asked, change: object): Asked => ({ ...asked, body: JSON.stringify({ ...bodyOf(asked), ...change }) });
const everywhere = /./;
let last = 0;

/** One thing wrong at a time, and the first row that says so. */
export const faults: Record<string, [row: string, make: () => Fault]> = {
  "a number as text": ["the host's own texts", () => inData(/allLists/, (data) => under(data, /^stock$/, String))],
  "a missing field": [
    "goods: another price",
    () => inData(/mall\/orderInfo/, (data) => under(data, /^info$/, ({ timeline: _gone, ...rest }) => rest)),
  ],
  "times without offset": [
    "public calls answer",
    () => inData(/activity/, (data) => under(data, /_at$/, (time) => time.replace("Z", ""))),
  ],
  "a level out of the contract": [
    "public calls answer",
    () => inData(/memberPackage\/lists/, (data) => under(data, /^level$/, () => 4)),
  ],
  "a price in yuan": [
    "goods: another price",
    () => inData(/goods\//, (data) => under(data, /(pay|price)_fen$/, (fen) => Math.round(fen / 100))),
  ],
  "a list in another order": [
    "pages put together",
    () => inData(/orderList/, ({ list, ...rest }) => ({ ...rest, list: list.toReversed() })),
  ],
  "a total of the page alone": [
    "pages put together",
    () => inData(/orderList/, (data) => ({ ...data, total: data.list.length })),
  ],
  "an error page in HTML": [
    "an unknown call is 404",
    () => async (asked, next) => {
      const given = await next(asked);
      return given.status === 404 ? { ...given, text: "<h1>Not found</h1>" } : given;
    },
  ],
  "a refusal under another HTTP status": [
    "a third member|a code that was sent|members' calls refuse",
    () => async (asked, next) => {
      const given = await next(asked);
      return read(given.text).code === 10001 ? { ...given, status: 401 } : given;
    },
  ],
  "an envelope without msg": [
    "msg is written|an unknown call",
    () => inEnvelope(everywhere, ({ msg: _gone, ...rest }) => rest),
  ],
  "a stack in msg": [
    "every msg says something",
    () =>
      inEnvelope(/send$/, (envelope, { body }) =>
        body.length > 60_000 ? { ...envelope, msg: "Error: at read (/app/server/body.ts:3:1)" } : envelope,
      ),
  ],
  "no content type": ["every answer is sent as JSON", () => withHeader("content-type", "text/plain")],
  "no CORS header": ["the site's pages", () => withHeader("access-control-allow-origin", null)],
  "CORS for everybody": ["a page of another origin", () => withHeader("access-control-allow-origin", "*")],
  "one language for all": [
    "msg is written",
    () => (asked, next) => {
      const headers = new Headers(asked.headers);
      headers.set("accept-language", "en-US");
      return next({ ...asked, headers });
    },
  ],
  "a code that can be used twice": ["a code that was sent", () => replayed(/vcodeLogin/, 20001, ({ body }) => body)],
  "a code without an end of tries": [
    "an account that nobody has",
    () => inEnvelope(/vcodeLogin/, (one) => (one.code === 20003 ? { ...one, code: 20001 } : one)),
  ],
  "a ceiling that does not say how long": [
    "POST /v1/VerificationCode/send",
    () => inEnvelope(/send$/, (one) => (one.code === 10004 ? { ...one, data: null } : one)),
  ],
  "a public call that refuses an old token": [
    "public calls answer",
    () =>
      inEnvelope(/allLists/, (one, { headers }) =>
        headers.get("token") === "x".repeat(43) ? { code: 10001, msg: "x", data: null } : one,
      ),
  ],
  "a 10003 that differs": [
    "order of goods and its pay code",
    () => {
      const known = new Set<string>();
      return inEnvelope(/mall\//, (one, asked) => {
        if (one.code === 1 && one.data.order_sn) known.add(one.data.order_sn);
        return one.code === 10003 && known.has(bodyOf(asked).order_sn) ? { ...one, msg: `${one.msg}!` } : one;
      });
    },
  ],
  "a foreign order that is shown": [
    "order of goods and its pay code",
    () => replayed(/mall\/orderInfo/, 10003, (asked) => bodyOf(asked).order_sn),
  ],
  "a client_request_id that is ignored": [
    "goods: the same client_request_id",
    () => (asked, next) =>
      next(
        /createOrder/.test(asked.path) && asked.body.includes("conformance-")
          ? withBody(asked, { client_request_id: `request-${++last}` })
          : asked,
      ),
  ],
  "an expected price that is ignored": [
    "goods: another price",
    () => async (asked, next) => {
      const given = await next(asked);
      const { code, data } = read(given.text);
      return code === 30003 ? next(withBody(asked, { expected_pay_fen: data.pay_fen })) : given;
    },
  ],
  "fields that are not named": [
    "public calls refuse",
    () => inEnvelope(everywhere, (one) => (one.code === 10002 ? { ...one, data: null } : one)),
  ],
  "a code of its own": [
    "an unknown call|a code that is not known",
    () => inEnvelope(/region|goods|nothing/, (one) => (one.code === 10003 ? { ...one, code: 77 } : one)),
  ],
  "leaves that are none": ["each level leads", () => inData(/region/, (data) => under(data, /^leaf$/, () => true))],
  "a province that is gone": [
    "an empty code",
    () => inData(/region/, ({ children, ...rest }) => ({ ...rest, children: children.slice(0, 33) })),
  ],
  "a default that nobody takes over": [
    "the default is one",
    () => inData(/address\/(del|lists)/, (data) => (data.list.length === 2 ? under(data, /^is_default$/, () => false) : data)),
  ],
  "an address that is changed in an order": [
    "an order keeps its copy",
    () => {
      let gone = false;
      return inData(/address\/del|mall\/orderInfo/, (data) => {
        if (data.list?.length === 0) gone = true;
        return gone && data.info ? under(data, /^detail$/, () => "") : data;
      });
    },
  ],
  "a pay code for another sum": [
    "goods: a pay code",
    () => inData(/mall\/gen/, (data) => ({ ...data, pay_fen: data.pay_fen + 1 })),
  ],
  "a seat that is booked twice": [
    "an open one is booked",
    () => replayed(/activity\/booking/, 50002, ({ headers }) => headers.get("token") ?? ""),
  ],
  "a booking that everybody sees": [
    "nobody sees another member's",
    () => {
      let seen: Data = null;
      return inData(/booking/, (data, asked) => {
        seen = data.booking ?? seen;
        return asked.headers.get("token") ? { ...data, booking: data.booking ?? seen } : data;
      });
    },
  ],
  "places that are not taken": [
    "one is made, a repeat",
    () => inData(/booking\/info/, (data) => under(data, /^places_left$/, () => 50)),
  ],
  "a target of somebody's choosing": [
    "every other target",
    () =>
      inEnvelope(/forward/, (one, asked) =>
        /elsewhere/.test(asked.body) ? { code: 1, msg: "x", data: { response_data: "{}" } } : one,
      ),
  ],
  "a token of another member that passes": [
    "another member's token",
    () => {
      const owners = new Map<string, string>();
      return inEnvelope(/forward|userToken/, (one, { headers, body }) => {
        const token = headers.get("token") ?? "";
        if (one.data?.app_user_token) owners.set(one.data.app_user_token, token);
        const owner = owners.get(/Bearer ([\w-]+)"/.exec(body)?.[1] ?? "") ?? token;
        return owner === token ? one : { code: 1, msg: "x", data: { response_data: '{"data":{"IsPlan":true}}' } };
      });
    },
  ],
};
