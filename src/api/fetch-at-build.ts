import memoize from "memoize";
import * as v from "valibot";
import type { Call, DataOf } from "./call.ts";
import { codes, type Envelope, isEnvelope, requestHeaders } from "./envelope.ts";

/** Milliseconds until a call fails. */
const timeout = 10_000;

/**
 * Sends a call while the site is built. Returns `null` for 10003 (not found), `undefined` when the site is built without
 * a server. Rejects, which stops the build, on any other code and on a response outside the contract.
 */
export async function fetchAtBuild<C extends Call>(
  call: C,
  payload: unknown,
  locale: string,
): Promise<DataOf<C> | null | undefined> {
  const origin = process.env.BUILD_API_ORIGIN;
  if (!origin) return undefined;
  const { code, msg, data } = await requestOnce(origin, call, payload, locale);
  const server = `The API server at ${origin}`;
  if (code === codes.notFound) return null;
  if (code !== codes.success) throw new Error(`${server} returns code ${code} for ${call.method} ${call.path}: ${msg}`);
  const parsed = v.safeParse(call.data, data);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const field = v.getDotPath(issue) ?? "data";
    throw new Error(`${server} breaks the contract in ${call.method} ${call.path}: ${field}: ${issue.message}`);
  }
  return parsed.output as DataOf<C>;
}

/** Caches the responses of a build; in development the catalogue changes while the site is served. */
const requestOnce = import.meta.env.DEV
  ? request
  : memoize(request, { cacheKey: ([origin, call, payload, locale]) => JSON.stringify([origin, call.path, payload, locale]) });

async function request(origin: string, call: Call, payload: unknown, locale: string): Promise<Envelope> {
  const name = `${call.method} ${call.path}`;
  const init = {
    method: call.method,
    headers: { "Content-Type": "application/json", ...requestHeaders("", locale) },
    ...(call.method === "POST" ? { body: JSON.stringify(payload ?? {}) } : {}),
    signal: AbortSignal.timeout(timeout),
  };
  const response = await retry(() => fetch(new URL(call.path, origin), init)).catch((error: Error) => {
    throw new Error(`The API server at ${origin} does not respond to ${name}: ${error.message}`, { cause: error });
  });
  const text = await response.text();
  // A server may lack an extension.
  if (call.extension && response.status === 404) return { code: codes.notFound, msg: "", data: null };
  const envelope = parseJson(text);
  if (isEnvelope(envelope)) return envelope;
  throw new Error(
    `The API server at ${origin} returns HTTP ${response.status} without an envelope for ${name}: ${text.slice(0, 200)}`,
  );
}

/**
 * Retries a call, which only reads: in development while the server restarts after a change of its sources, in a build once, as the server closes an idle
 * connection while the build is busy rendering.
 */
async function retry(send: () => Promise<Response>): Promise<Response> {
  const deadline = Date.now() + (import.meta.env.DEV ? timeout : 0);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof TypeError) || (attempt > 1 && Date.now() >= deadline)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
