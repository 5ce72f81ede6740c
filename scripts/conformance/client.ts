import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import type { Call, DataOf } from "../../src/api/call.ts";
import { codes as codeOf, type codes, type Envelope, isEnvelope } from "../../src/api/envelope.ts";
import { assert, Failed } from "./outcome.ts";

const patience = 20_000;

export interface CallOptions {
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
  method?: string;
  token?: string;
  locale?: string;
  headers?: Record<string, string>;
}

/** A request and its response. */
export interface Response {
  path: string;
  method: string;
  sent: string;
  status: number;
  headers: Headers;
  text: string;
  envelope: Envelope | null;
}

export class Client {
  readonly responses: Response[] = [];
  readonly origin: string;
  constructor(origin: string) {
    this.origin = origin;
  }

  /** Sends one request. After a 429 it waits as long as `Retry-After` requires. */
  async raw(path: string, { body, method, token = "", locale = "en-US", headers = {} }: CallOptions = {}): Promise<Response> {
    const sent = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
    const verb = method ?? (body === undefined ? "GET" : "POST");
    for (let turn = 0; ; turn += 1) {
      const response = await fetch(this.origin + path, {
        method: verb,
        headers: { "device-type": "web", token, "accept-language": locale, "content-type": "application/json", ...headers },
        ...(sent && verb !== "GET" ? { body: sent } : {}),
        redirect: "manual",
        signal: AbortSignal.timeout(patience),
      });
      const text = await response.text();
      const wait = Number(response.headers.get("retry-after"));
      const one = { path, method: verb, sent, status: response.status, headers: response.headers, text, envelope: read(text) };
      if (response.status !== 429 || turn === 3 || !(wait > 0 && wait <= 70)) {
        this.responses.push(one);
        return one;
      }
      await pause(wait * 1000);
    }
  }

  call(call: Call, payload?: unknown, how: CallOptions = {}): Promise<Response> {
    const body = call.method === "POST" ? { body: payload ?? {} } : {};
    return this.raw(call.path, { method: call.method, ...body, ...how });
  }

  /** Returns the data of a call; fails unless it succeeds and fits the contract. */
  async data<C extends Call>(call: C, payload?: unknown, how: CallOptions = {}): Promise<DataOf<C>> {
    const { status, envelope, text } = await this.call(call, payload, how);
    assert(status === 200 && envelope?.code === codeOf.success, `${call.path} answered ${brief(status, text)}`);
    const data = v.safeParse(call.data, envelope.data);
    if (!data.success) throw new Failed(`${call.path} answered ${formatIssue(data.issues[0])}`);
    return data.output as DataOf<C>;
  }

  /** Returns the response of a call; fails unless it has this code and HTTP 200. */
  async expectError(
    code: keyof typeof codes,
    call: Call,
    payload?: unknown,
    how: CallOptions = {},
  ): Promise<Response & { envelope: Envelope }> {
    const seen = await this.call(call, payload, how);
    const { status, envelope, text } = seen;
    const sentPayload = JSON.stringify(payload)?.slice(0, 120) ?? "";
    assert(
      status === 200 && envelope?.code === codeOf[code],
      `${call.path} ${sentPayload} is to be refused with ${codeOf[code]}, and was answered ${brief(status, text)}`,
    );
    return { ...seen, envelope };
  }
}

function read(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    return isEnvelope(value) ? value : null;
  } catch {
    return null;
  }
}

export const brief = (status: number, text: string) => `HTTP ${status} ${text.slice(0, 140).replace(/\s+/g, " ")}`;

/** Formats where and how a response breaks the schema. */
export function formatIssue(issue: v.BaseIssue<unknown>): string {
  return `data.${v.getDotPath(issue) ?? ""} as ${issue.received}, where ${issue.expected ?? issue.type} is due`;
}
