import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import type { Call, DataOf } from "../../src/api/call.ts";
import { codes as codeOf, type codes, type Envelope, isEnvelope } from "../../src/api/envelope.ts";
import { assert, Failed } from "./outcome.ts";

const patience = 20_000;

export interface Ask {
  /** As JSON; a text goes as it is. */
  body?: unknown;
  method?: string;
  token?: string;
  locale?: string;
  headers?: Record<string, string>;
}

/** A request that was made, and what came back. */
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
  readonly seen: Response[] = [];
  readonly origin: string;
  constructor(origin: string) {
    this.origin = origin;
  }

  /** One request as it stands. Over the flood ceiling it waits as long as it is told to. */
  async raw(path: string, { body, method, token = "", locale = "en-US", headers = {} }: Ask = {}): Promise<Response> {
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
        this.seen.push(one);
        return one;
      }
      await pause(wait * 1000);
    }
  }

  ask(call: Call, payload?: unknown, how: Ask = {}): Promise<Response> {
    const body = call.method === "POST" ? { body: payload ?? {} } : {};
    return this.raw(call.path, { method: call.method, ...body, ...how });
  }

  /** The data of an answer that must be a success and fit the contract. */
  async data<C extends Call>(call: C, payload?: unknown, how: Ask = {}): Promise<DataOf<C>> {
    const { status, envelope, text } = await this.ask(call, payload, how);
    assert(status === 200 && envelope?.code === codeOf.success, `${call.path} answered ${brief(status, text)}`);
    const data = v.safeParse(call.data, envelope.data);
    if (!data.success) throw new Failed(`${call.path} answered ${unfit(data.issues[0])}`);
    return data.output as DataOf<C>;
  }

  /** The answer to what must be refused with a code, under HTTP 200. */
  async refusal(
    code: keyof typeof codes,
    call: Call,
    payload?: unknown,
    how: Ask = {},
  ): Promise<Response & { envelope: Envelope }> {
    const seen = await this.ask(call, payload, how);
    const { status, envelope, text } = seen;
    const asked = JSON.stringify(payload)?.slice(0, 120) ?? "";
    assert(
      status === 200 && envelope?.code === codeOf[code],
      `${call.path} ${asked} is to be refused with ${codeOf[code]}, and was answered ${brief(status, text)}`,
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

/** Where an answer does not fit, and how. */
export function unfit(issue: v.BaseIssue<unknown>): string {
  return `data.${v.getDotPath(issue) ?? ""} as ${issue.received}, where ${issue.expected ?? issue.type} is due`;
}
