import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import type { Call, DataOf } from "../../src/api/call.ts";
import { codes, type Envelope, isEnvelope } from "../../src/api/envelope.ts";

/** Thrown by a check when the server breaks the contract; its message describes the response. */
class CheckFailure extends Error {}

/** Thrown by a check that cannot run here; its message is the reason. */
export class CheckSkipped extends Error {}

/** Fails the check with `message` unless the condition is true. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new CheckFailure(message);
}

/** Fails unless both values are equal as JSON. */
export function assertEqual(actual: unknown, expected: unknown, label: string): void {
  const [actualJson, expectedJson] = [JSON.stringify(actual), JSON.stringify(expected)];
  assert(actualJson === expectedJson, `${label} is ${actualJson?.slice(0, 160)}, not ${expectedJson?.slice(0, 160)}`);
}

type Outcome = { state: "passed" } | { state: "failed" | "skipped"; reason: string };

export interface Row {
  group: string;
  title: string;
  outcome: Outcome;
}

/** Runs one check and returns its outcome. Any other exception counts as failed. */
export async function runCheck(group: string, title: string, check: () => Promise<void> | void): Promise<Row> {
  try {
    await check();
    return { group, title, outcome: { state: "passed" } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { group, title, outcome: { state: error instanceof CheckSkipped ? "skipped" : "failed", reason } };
  }
}

/** Milliseconds. */
const requestTimeout = 20_000;

interface CallOptions {
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

  /** Sends one request. After a 429, retries once `Retry-After` has passed. */
  async send(path: string, { body, method, token = "", locale = "en-US", headers = {} }: CallOptions = {}): Promise<Response> {
    const requestBody = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
    const verb = method ?? (body === undefined ? "GET" : "POST");
    for (let attempt = 0; ; attempt += 1) {
      const response = await fetch(this.origin + path, {
        method: verb,
        headers: { "device-type": "web", token, "accept-language": locale, "content-type": "application/json", ...headers },
        ...(requestBody && verb !== "GET" ? { body: requestBody } : {}),
        redirect: "manual",
        signal: AbortSignal.timeout(requestTimeout),
      });
      const text = await response.text();
      const wait = Number(response.headers.get("retry-after"));
      const { status, headers: responseHeaders } = response;
      const received = { path, method: verb, status, headers: responseHeaders, text, envelope: parseEnvelope(text) };
      if (status !== 429 || attempt === 3 || !(wait > 0 && wait <= 70)) {
        this.responses.push(received);
        return received;
      }
      await pause(wait * 1000);
    }
  }

  call(call: Call, payload?: unknown, options: CallOptions = {}): Promise<Response> {
    const body = call.method === "POST" ? { body: payload ?? {} } : {};
    return this.send(call.path, { method: call.method, ...body, ...options });
  }

  /** Returns the data of a call; fails unless it succeeds and fits the contract. */
  async data<C extends Call>(call: C, payload?: unknown, options: CallOptions = {}): Promise<DataOf<C>> {
    const { status, envelope, text } = await this.call(call, payload, options);
    assert(status === 200 && envelope?.code === codes.success, `${call.path} returned ${formatResponse(status, text)}`);
    const data = v.safeParse(call.data, envelope.data);
    if (!data.success) throw new CheckFailure(`${call.path} returned ${formatIssue(data.issues[0])}`);
    return data.output as DataOf<C>;
  }

  /** Returns the response of a call; fails unless it has this code and HTTP 200. */
  async expectError(
    code: keyof typeof codes,
    call: Call,
    payload?: unknown,
    options: CallOptions = {},
  ): Promise<Response & { envelope: Envelope }> {
    const response = await this.call(call, payload, options);
    const { status, envelope, text } = response;
    const sentPayload = JSON.stringify(payload)?.slice(0, 120) ?? "";
    assert(
      status === 200 && envelope?.code === codes[code],
      `${call.path} ${sentPayload} returned ${formatResponse(status, text)} instead of code ${codes[code]}`,
    );
    return { ...response, envelope };
  }
}

function parseEnvelope(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    return isEnvelope(value) ? value : null;
  } catch {
    return null;
  }
}

/** Formats a response in one line. */
export const formatResponse = (status: number, text: string) => `HTTP ${status} ${text.slice(0, 140).replace(/\s+/g, " ")}`;

/** Formats where and how a response breaks the schema. */
export function formatIssue(issue: v.BaseIssue<unknown>): string {
  return `data.${v.getDotPath(issue) ?? ""} as ${issue.received} instead of ${issue.expected ?? issue.type}`;
}
