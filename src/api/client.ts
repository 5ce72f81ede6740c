import "./storage.ts";
import { persistentAtom } from "@nanostores/persistent";
import { type FetchResponse, ofetch } from "ofetch";
import * as v from "valibot";
import type { Call, DataOf, PayloadOf } from "./call.ts";
import { codes, isEnvelope } from "./envelope.ts";
import { ApiError, type Failed, type Failure, failedEvent, NetworkError } from "./errors.ts";
import { requestHeaders } from "./headers.ts";

/** The session's token, "" without one. Every call carries it; the session store listens to it. */
export const $token = persistentAtom<string>("TOKEN", "");

/** Milliseconds until a call counts as unanswered. */
const timeout = 15_000;

export interface SendOptions {
  /** The visitor did this, so a session that turns out to be over may lead to login. Loud calls always are. */
  acted?: boolean;
  /** Draw the failure in place: no notification. */
  quiet?: boolean;
  /** The language to answer in, where it is not the page's. */
  locale?: string;
  signal?: AbortSignal;
}

declare global {
  interface Window {
    /** What the head of the page has sent before any module was there, by call, payload and token. */
    earlyAnswers?: Record<string, Promise<Response>>;
  }
}

/** The answer to a call that the head has sent already: for the first who asks. */
async function earlyAnswer(call: Call, payload: unknown): Promise<Response | undefined> {
  const key = keyOf(call, payload);
  const early = window.earlyAnswers?.[key];
  delete window.earlyAnswers?.[key];
  return early;
}

async function ask(
  call: Call,
  payload: unknown,
  { locale, signal }: SendOptions,
): Promise<Pick<FetchResponse<unknown>, "status" | "_data">> {
  const limit = AbortSignal.timeout(timeout);
  try {
    const early = await earlyAnswer(call, payload);
    if (early) return { status: early.status, _data: await early.json().catch(() => null) };
    return await ofetch.raw(call.path, {
      baseURL: import.meta.env.PUBLIC_API_ORIGIN || "/",
      method: call.method,
      headers: requestHeaders($token.get(), locale ?? document.documentElement.lang),
      ...(call.method === "POST" ? { body: payload ?? {} } : {}),
      retry: 0,
      ignoreResponseError: true,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (caught) {
    const isLate = limit.aborted || (caught instanceof DOMException && caught.name === "TimeoutError");
    throw new NetworkError(isLate ? "timeout" : "offline");
  }
}

async function answer<C extends Call>(call: C, payload: unknown, options: SendOptions): Promise<DataOf<C>> {
  const { status, _data: envelope } = await ask(call, payload, options);
  const readable = isEnvelope(envelope);
  if (status === 429) throw new NetworkError("busy", readable ? envelope.msg : undefined);
  if (status >= 500) throw new NetworkError("server", readable ? envelope.msg : undefined);
  if (!readable) throw new NetworkError("unreadable");
  if (envelope.code !== codes.success) throw new ApiError(envelope);
  const data = v.safeParse(call.data, envelope.data);
  if (!data.success) throw new NetworkError("unreadable");
  return data.output as DataOf<C>;
}

const ahead = new Map<string, Promise<unknown>>();
const keyOf = (call: Call, payload: unknown) => call.path + JSON.stringify(payload) + $token.get();

/** Asks before anything is there that draws the answer; whoever sends the same call first gets it. */
export function prefetch<C extends Call>(call: C, payload?: PayloadOf<C>): Promise<DataOf<C>> {
  const asked = answer(call, payload, {});
  ahead.set(keyOf(call, payload), asked);
  return asked;
}

/**
 * Sends one call of the contract.
 * Rejects with `Refused` (the envelope, when its code is not 1) or `Unreachable`, after the page's frame has heard of it.
 */
export async function send<C extends Call>(call: C, payload?: PayloadOf<C>, options: SendOptions = {}): Promise<DataOf<C>> {
  const key = keyOf(call, payload);
  const asked = ahead.get(key);
  ahead.delete(key);
  try {
    return await ((asked as Promise<DataOf<C>> | undefined) ?? answer(call, payload, options));
  } catch (caught) {
    if (options.signal?.aborted) throw caught;
    const failure: Failure =
      caught instanceof ApiError || caught instanceof NetworkError ? caught : new NetworkError("unreadable");
    const volume = options.quiet ? "quiet" : call.volume;
    const detail: Failed = { failure, volume, acted: options.acted ?? call.volume === "loud" };
    window.dispatchEvent(new CustomEvent(failedEvent, { detail }));
    throw failure;
  }
}
