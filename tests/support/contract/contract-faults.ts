import {
  type Fault,
  inData,
  inEnvelope,
  parseBody,
  parseEnvelope,
  replaceValues,
  replaySuccess,
  toJson,
  toList,
  withBody,
  withHeader,
} from "../hosting/faulty-proxy.ts";

const anyPath = /./;
let requestCount = 0;

/** Single contract violations, each with the first check that detects it. */
export const contractFaults: Record<string, [check: string, createFault: () => Fault]> = {
  "a number as text": ["a page of another origin", () => inData(/allLists/, (data) => replaceValues(data, /^stock$/, String))],
  "a missing field": [
    "goods: a wrong price",
    () =>
      inData(/mall\/orderInfo/, (data) => replaceValues(data, /^info$/, (info) => ({ ...toJson(info), timeline: undefined }))),
  ],
  "times without offset": [
    "public calls return the same",
    () => inData(/activity/, (data) => replaceValues(data, /_at$/, (time) => String(time).replace("Z", ""))),
  ],
  "a level outside the contract": [
    "public calls return the same",
    () => inData(/memberPackage\/lists/, (data) => replaceValues(data, /^level$/, () => 4)),
  ],
  "a price in yuan": [
    "goods: a wrong price",
    () => inData(/goods\//, (data) => replaceValues(data, /(pay|price)_fen$/, (fen) => Math.round(Number(fen) / 100))),
  ],
  "a list in another order": [
    "pages make up",
    () => inData(/orderList/, ({ list, ...rest }) => ({ ...rest, list: toList(list).toReversed() })),
  ],
  "a total that counts only the page": [
    "pages make up",
    () => inData(/orderList/, (data) => ({ ...data, total: toList(data.list).length })),
  ],
  "an error page in HTML": [
    "an unknown path returns",
    () => async (request, next) => {
      const response = await next(request);
      return response.status === 404 ? { ...response, text: "<h1>Not found</h1>" } : response;
    },
  ],
  "an error code under another HTTP status": [
    "the site's pages",
    () => async (request, next) => {
      const response = await next(request);
      return parseEnvelope(response.text).code === 10001 ? { ...response, status: 401 } : response;
    },
  ],
  "an envelope without msg": ["msg is in|an unknown path", () => inEnvelope(anyPath, ({ msg: _gone, ...rest }) => rest)],
  "a stack in msg": [
    "a body over 64 KB",
    () =>
      inEnvelope(/send$/, (envelope, { body }) =>
        body.length > 60_000 ? { ...envelope, msg: "Error: at read (/app/server/body.ts:3:1)" } : envelope,
      ),
  ],
  "no content type": ["an unknown path", () => withHeader("content-type", "text/plain")],
  "no CORS header": ["the site's pages", () => withHeader("access-control-allow-origin", null)],
  "CORS for everybody": ["a page of another origin", () => withHeader("access-control-allow-origin", "*")],
  "one language for every request": [
    "msg is in",
    () => (request, next) => {
      const headers = new Headers(request.headers);
      headers.set("accept-language", "en-US");
      return next({ ...request, headers });
    },
  ],
  "a code that can be used twice": ["a login code works", () => replaySuccess(/vcodeLogin/, 20001, ({ body }) => body)],
  "a code with unlimited tries": [
    "an unknown account",
    () => inEnvelope(/vcodeLogin/, (envelope) => (envelope.code === 20003 ? { ...envelope, code: 20001 } : envelope)),
  ],
  "a rate limit without retry_after": [
    "a login code works",
    () => inEnvelope(/send$/, (envelope) => (envelope.code === 10004 ? { ...envelope, data: null } : envelope)),
  ],
  "a public call that refuses an old token": [
    "public calls return the same",
    () =>
      inEnvelope(/allLists/, (envelope, { headers }) =>
        headers.get("token") === "x".repeat(43) ? { code: 10001, msg: "x", data: null } : envelope,
      ),
  ],
  "a 10003 that differs": [
    "another member's goods order",
    () => {
      const orderSns = new Set<unknown>();
      return inEnvelope(/mall\//, (envelope, request) => {
        const { order_sn } = toJson(envelope.data);
        if (envelope.code === 1 && order_sn) orderSns.add(order_sn);
        return envelope.code === 10003 && orderSns.has(parseBody(request).order_sn)
          ? { ...envelope, msg: `${envelope.msg}!` }
          : envelope;
      });
    },
  ],
  "an order visible to another member": [
    "another member's goods order",
    () => replaySuccess(/mall\/orderInfo/, 10003, (request) => String(parseBody(request).order_sn)),
  ],
  "a client_request_id that is ignored": [
    "goods: the same client_request_id",
    () => (request, next) =>
      next(
        /createOrder/.test(request.path) && request.body.includes("conformance-")
          ? withBody(request, { client_request_id: `request-${++requestCount}` })
          : request,
      ),
  ],
  "an expected price that is ignored": [
    "goods: a wrong price",
    () => async (request, next) => {
      const response = await next(request);
      const { code, data } = parseEnvelope(response.text);
      return code === 30003 ? next(withBody(request, { expected_pay_fen: toJson(data).pay_fen })) : response;
    },
  ],
  "fields that are not named": [
    "public calls return 10002",
    () => inEnvelope(anyPath, (envelope) => (envelope.code === 10002 ? { ...envelope, data: null } : envelope)),
  ],
  "an unknown error code": [
    "an unknown path|an unknown code",
    () => inEnvelope(/region|goods|nothing/, (envelope) => (envelope.code === 10003 ? { ...envelope, code: 77 } : envelope)),
  ],
  "regions wrongly marked as leaves": [
    "each level returns",
    () => inData(/region/, (data) => replaceValues(data, /^leaf$/, () => true)),
  ],
  "a region that went beside its successor": [
    "each level returns",
    () =>
      inData(/region/, ({ children, ...rest }) => {
        const list = toList(children);
        return { ...rest, children: list.length === 34 ? list : [...list, ...list.slice(-1)] };
      }),
  ],
  "a missing province": [
    "an empty code",
    () => inData(/region/, ({ children, ...rest }) => ({ ...rest, children: toList(children).slice(0, 33) })),
  ],
  "a deleted default without a successor": [
    "there is one default",
    () =>
      inData(/address\/(del|lists)/, (data) =>
        toList(data.list).length === 2 ? replaceValues(data, /^is_default$/, () => false) : data,
      ),
  ],
  "an address that is changed in an order": [
    "an order keeps its copy",
    () => {
      let isDeleted = false;
      return inData(/address\/del|mall\/orderInfo/, (data) => {
        if (Array.isArray(data.list) && data.list.length === 0) isDeleted = true;
        return isDeleted && data.info ? replaceValues(data, /^detail$/, () => "") : data;
      });
    },
  ],
  "a pay code for another sum": [
    "goods: a pay code",
    () => inData(/mall\/gen/, (data) => ({ ...data, pay_fen: Number(data.pay_fen) + 1 })),
  ],
  "a seat that is booked twice": [
    "an open activity can be booked",
    () => replaySuccess(/activity\/booking/, 50002, ({ headers }) => headers.get("token") ?? ""),
  ],
  "a booking visible to everybody": [
    "another member's booking",
    () => {
      let booking: unknown = null;
      return inData(/booking/, (data, request) => {
        booking = data.booking ?? booking;
        return request.headers.get("token") ? { ...data, booking: data.booking ?? booking } : data;
      });
    },
  ],
  "any campaign for an unknown uid": [
    "the extension for one campaign",
    () => async (request, next) =>
      next(/booking\/campaign$/.test(request.path) ? withBody(request, { campaign: "spring" }) : request),
  ],
  "a seat that is given back and stays taken": [
    "the extension gives a seat back",
    () => inData(/activity\/cancel/, (data) => replaceValues(data, /^booked$/, (booked) => Number(booked) + 1)),
  ],
  "a withdrawal that changes nothing": [
    "the extension withdraws",
    () => async (request, next) => next({ ...request, path: request.path.replace("booking/cancel", "booking/campaign") }),
  ],
  "a log-out that leaves the session": [
    "the extension ends the session",
    () => async (request, next) =>
      /user\/logout$/.test(request.path) && request.headers.get("token") !== "x"
        ? { ...(await next({ ...request, path: "/v1/user/none" })), status: 200, text: '{"code":1,"msg":"x","data":{}}' }
        : next(request),
  ],
  "a booking that takes no places": [
    "a booking is created",
    () => inData(/booking\/info/, (data) => replaceValues(data, /^places_left$/, () => 50)),
  ],
  "a forward to any target": [
    "every other target",
    () =>
      inEnvelope(/forward/, (envelope, request) =>
        /elsewhere/.test(request.body) ? { code: 1, msg: "x", data: { response_data: "{}" } } : envelope,
      ),
  ],
  "an accepted token of another member": [
    "another member's token",
    () => {
      const owners = new Map<string, string>();
      return inEnvelope(/forward|userToken/, (envelope, { headers, body }) => {
        const token = headers.get("token") ?? "";
        const { app_user_token } = toJson(envelope.data);
        if (app_user_token) owners.set(String(app_user_token), token);
        const owner = owners.get(/Bearer ([\w-]+)"/.exec(body)?.[1] ?? "") ?? token;
        return owner === token ? envelope : { code: 1, msg: "x", data: { response_data: '{"data":{"IsPlan":true}}' } };
      });
    },
  ],
};
