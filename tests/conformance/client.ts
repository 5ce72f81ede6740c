import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { expect } from "vitest";
import type { Call, DataOf, ServedCall } from "#src/api/call.ts";
import { contract } from "#src/api/contract.ts";
import { codes, type Envelope, isEnvelope } from "#src/api/envelope.ts";

/** Milliseconds. */
const requestTimeout = 20_000;
/** Seconds that a client waits for a server that names them. */
const maxWait = 70;

interface CallOptions {
  locale?: string;
  headers?: Record<string, string>;
}

interface SendOptions extends CallOptions {
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
  method?: string;
}

export interface Response {
  path: string;
  method: string;
  status: number;
  headers: Headers;
  text: string;
  envelope: Envelope;
}

type Code = keyof typeof codes;

/** Codes that every call may return. */
const commonCodes: Code[] = ["success", "sessionInvalid", "badParameter", "tooFrequent", "internal", "unavailable"];
const statuses: Record<number, Code[]> = {
  400: ["badParameter"],
  404: ["notFound"],
  405: ["notAllowed"],
  413: ["badParameter"],
  415: ["badParameter"],
  417: ["badParameter"],
  429: ["tooFrequent"],
  500: ["internal"],
  503: ["unavailable"],
};
/** Text that reveals the internals of a server. */
const internals =
  /\bat \S+ \(|node_modules|\b(select|insert|update|delete)\b.+\b(from|into|set|where)\b|\/(home|usr|var|srv|app)\/|Error:/i;

function parseEnvelope(text: string, where: string): Envelope {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {}
  if (isEnvelope(value)) return value;
  return expect.fail(`${where}, which is no envelope of code, msg and data`);
}

/** Fails unless a response keeps the rules for all responses, and those of its call. */
function expectValid({ path, method, status, headers, envelope: { code, msg, data } }: Response, where: string): void {
  expect(headers.get("content-type"), where).toMatch(/^application\/json\b/);
  expect(headers.get("cache-control") ?? "", `${where}: Cache-Control`).not.toContain("public");
  expect(msg, `${where}: msg`).toMatch(/\S/);
  expect(msg, `${where}: msg reveals internals`).not.toMatch(internals);
  const call = Object.values<ServedCall>(contract).find((one) => one.path === path && one.method === method);
  const ofCall = call ? [...commonCodes, ...call.errors] : (Object.keys(codes) as Code[]);
  const allowed = status === 200 ? ofCall : (statuses[status] ?? []);
  expect(
    allowed.map((name) => codes[name]),
    `${where}: codes of HTTP ${status}`,
  ).toContain(code);
  const fields = Object(data);
  if (code === codes.tooFrequent) expect(fields.retry_after, `${where}: data.retry_after`).toSatisfy(isPositiveInteger);
  if (code === codes.priceChanged) expect(fields.pay_fen, `${where}: data.pay_fen`).toSatisfy(Number.isInteger);
  if (code === codes.sessionInvalid) expect(data, `${where}: data`).toBeNull();
  if (call && code === codes.success) expect(v.safeParse(call.data, data).issues?.map(formatIssue), where).toBeUndefined();
}

const isPositiveInteger = (value: unknown) => Number.isInteger(value) && Number(value) > 0;

const formatIssue = (issue: v.BaseIssue<unknown>) =>
  `data.${v.getDotPath(issue) ?? ""} is ${issue.received} instead of ${issue.expected ?? issue.type}`;

export type Client = ReturnType<typeof createClient>;

/** Creates a client of a session, or of a visitor. `responses` collects those of all clients of a run. Every response must keep the contract. */
export function createClient(origin: string, token = "", responses: Response[] = []) {
  /** Sends one request. After a 429, retries once `Retry-After` has passed. */
  async function send(path: string, { body, method, locale = "en-US", headers = {} }: SendOptions = {}): Promise<Response> {
    const verb = method ?? (body === undefined ? "GET" : "POST");
    const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
    for (let attempt = 0; ; attempt += 1) {
      const response = await fetch(origin + path, {
        method: verb,
        headers: { "device-type": "web", token, "accept-language": locale, "content-type": "application/json", ...headers },
        ...(text && verb !== "GET" ? { body: text } : {}),
        redirect: "manual",
        signal: AbortSignal.timeout(requestTimeout),
      });
      const wait = Number(response.headers.get("retry-after"));
      const { status, headers: responseHeaders } = response;
      const responseText = await response.text();
      if (status === 429 && attempt < 3 && wait > 0 && wait <= maxWait) await pause(wait * 1000);
      else {
        const where = `${verb} ${path} returned HTTP ${status} ${responseText.slice(0, 140).replace(/\s+/g, " ")}`;
        const envelope = parseEnvelope(responseText, where);
        const received = { path, method: verb, status, headers: responseHeaders, text: responseText, envelope };
        responses.push(received);
        expectValid(received, where);
        return received;
      }
    }
  }

  const call = (call: Call, payload?: unknown, options: CallOptions = {}) =>
    send(call.path, { method: call.method, ...(call.method === "POST" && { body: payload ?? {} }), ...options });

  /** Returns the response of a call; fails unless it has this code and HTTP 200. */
  async function expectCode(code: Code, one: Call, payload?: unknown, options: CallOptions = {}): Promise<Response> {
    const response = await call(one, payload, options);
    const { status, envelope } = response;
    expect([status, envelope.code], `${one.path} ${JSON.stringify(payload)?.slice(0, 120)}: ${envelope.msg}`).toEqual([
      200,
      codes[code],
    ]);
    return response;
  }

  /** Expects 10002 with the field in `data.fields` for each of its values. */
  async function expectInvalid(one: Call, payload: object, invalidValues: Record<string, unknown[]>): Promise<void> {
    for (const [field, values] of Object.entries(invalidValues)) {
      for (const value of values) {
        const { envelope } = await expectCode("badParameter", one, { ...payload, [field]: value });
        expect(Object.keys(Object(Object(envelope.data).fields)), `fields for ${JSON.stringify(value)}`).toEqual([field]);
      }
    }
  }

  /** Returns the data of a call; fails unless it succeeds. */
  async function data<C extends Call>(one: C, payload?: unknown, options: CallOptions = {}): Promise<DataOf<C>> {
    const { envelope } = await expectCode("success", one, payload, options);
    return v.parse(one.data, envelope.data) as DataOf<C>;
  }

  return { origin, token, responses, send, call, expectCode, expectInvalid, data };
}
