import "./storage.ts";
import { persistentAtom } from "@nanostores/persistent";
import { type FetchResponse, ofetch } from "ofetch";
import * as v from "valibot";
import type { Call, DataOf, PayloadOf } from "./call.ts";
import {
  ApiError,
  type CallFailure,
  callFailedEvent,
  codes,
  type Failure,
  isEnvelope,
  NetworkError,
  requestHeaders,
} from "./envelope.ts";

/** The session's token, "" without one. Every call carries it. */
export const $token = persistentAtom<string>("TOKEN", "");

/** Milliseconds until a call fails. */
const timeout = 15_000;

export interface SendOptions {
  /** The visitor caused the call, so an expired session may lead to login. Defaults to the call's `notify`. */
  isUserAction?: boolean;
  /** Overrides the call's `notify`. */
  notify?: boolean;
  /** Language of the response; defaults to the page's. */
  locale?: string;
  signal?: AbortSignal;
  /** The request outlives the page. */
  keepalive?: boolean;
}

declare global {
  interface Window {
    /** Responses to the calls that the page's head sends before any module loads, by call, payload and token. */
    earlyResponses?: Record<string, Promise<Response>>;
  }
}

/** Returns the response to a call that the page's head has sent, once. */
async function takeEarlyResponse(call: Call, payload: unknown): Promise<Response | undefined> {
  const key = getKey(call, payload);
  const early = window.earlyResponses?.[key];
  delete window.earlyResponses?.[key];
  return early;
}

async function request(
  call: Call,
  payload: unknown,
  { locale, signal, keepalive = false }: SendOptions,
): Promise<Pick<FetchResponse<unknown>, "status" | "_data">> {
  // Of the session that sends, before anything is awaited.
  const headers = requestHeaders($token.get(), locale ?? document.documentElement.lang);
  const limit = AbortSignal.timeout(timeout);
  try {
    const early = await takeEarlyResponse(call, payload);
    if (early) return { status: early.status, _data: await early.json().catch(() => null) };
    return await ofetch.raw(call.path, {
      baseURL: import.meta.env.PUBLIC_API_ORIGIN || "/",
      method: call.method,
      headers,
      keepalive,
      ...(call.method === "POST" ? { body: payload ?? {} } : {}),
      retry: 0,
      ignoreResponseError: true,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (error) {
    const isLate = limit.aborted || (error instanceof DOMException && error.name === "TimeoutError");
    throw new NetworkError(isLate ? "timeout" : "offline");
  }
}

/** Returns whether the page needs a session and has none: it is being left, after a log-out. */
const isLeft = () => !$token.get() && document.documentElement.dataset.session !== undefined;

async function fetchData<C extends Call>(call: C, payload: unknown, options: SendOptions): Promise<DataOf<C>> {
  // Nothing leaves without the session that it needs.
  if (isLeft() || (call.access === "session" && !$token.get()))
    throw new ApiError({ code: codes.sessionInvalid, msg: "", data: null });
  const { status, _data: envelope } = await request(call, payload, options);
  const readable = isEnvelope(envelope);
  if (status === 429) throw new NetworkError("busy", readable ? envelope.msg : undefined);
  if (status >= 500) throw new NetworkError("server", readable ? envelope.msg : undefined);
  if (!readable) throw new NetworkError("unreadable");
  if (envelope.code !== codes.success) throw new ApiError(envelope);
  const data = v.safeParse(call.data, envelope.data);
  if (!data.success) throw new NetworkError("unreadable");
  return data.output as DataOf<C>;
}

const prefetched = new Map<string, Promise<unknown>>();
const getKey = (call: Call, payload: unknown) => call.path + JSON.stringify(payload) + $token.get();

/** Sends a call early; the first `send` of the same call returns its result. */
export function prefetch<C extends Call>(call: C, payload?: PayloadOf<C>): Promise<DataOf<C>> {
  const pending = fetchData(call, payload, {});
  prefetched.set(getKey(call, payload), pending);
  return pending;
}

/**
 * Sends one call of the contract. Rejects with `ApiError` (code is not 1) or `NetworkError`, after the `callFailedEvent`; without that event when the call's
 * session is over, and is no longer that of the page.
 */
export async function send<C extends Call>(call: C, payload?: PayloadOf<C>, options: SendOptions = {}): Promise<DataOf<C>> {
  const token = $token.get();
  const key = getKey(call, payload);
  const early = prefetched.get(key);
  prefetched.delete(key);
  try {
    return await ((early as Promise<DataOf<C>> | undefined) ?? fetchData(call, payload, options));
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const failure: Failure =
      error instanceof ApiError || error instanceof NetworkError ? error : new NetworkError("unreadable");
    // The end of a session says nothing of one that has begun since.
    const isOver = failure instanceof ApiError && failure.code === codes.sessionInvalid;
    if (isOver && ($token.get() !== token || isLeft())) throw failure;
    const detail: CallFailure = {
      failure,
      notify: options.notify ?? call.notify,
      isUserAction: options.isUserAction ?? call.notify,
    };
    window.dispatchEvent(new CustomEvent(callFailedEvent, { detail }));
    throw failure;
  }
}

/** Creates a random id for a request; `randomUUID` requires TLS. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
