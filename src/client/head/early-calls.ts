// A second inline script of the head, on pages with early calls alone.
import { requestHeaders } from "#src/api/envelope.ts";
import { read } from "#src/api/tab-storage.ts";
import { paintPayCode, paintPicture } from "./early-paint.ts";
import type { EarlyCalls } from "./page-calls.ts";

/** Milliseconds until a call fails, as in `send`. */
const timeout = 15_000;

/**
 * Sends the calls of the page in parallel before its modules load. `send` takes the responses, by path, payload and
 * token.
 */
function sendEarly({ key, calls }: EarlyCalls, value: string, token: string): void {
  const paint = key === "order_sn" ? paintPayCode : paintPicture;
  const responses: Record<string, Promise<Response>> = {};
  for (const { method, path } of calls) {
    const body = method === "POST" ? JSON.stringify({ [key]: value }) : undefined;
    const response = fetch((import.meta.env.PUBLIC_API_ORIGIN ?? "") + path, {
      method,
      headers: { "Content-Type": "application/json", ...requestHeaders(token, document.documentElement.lang) },
      signal: AbortSignal.timeout(timeout),
      ...(body === undefined ? {} : { body }),
    });
    response
      .then(async (own) => paint((await own.clone().json()).data))
      // Whoever takes the response handles its failure.
      .catch(() => {});
    responses[path + body + token] = response;
  }
  window.earlyResponses = responses;
}

const early = document.currentScript?.dataset.calls;
const token = read("TOKEN");
// The last segment of the path is the payload.
const [value] = /[\w-]+$/.exec(location.pathname) ?? [];
if (early && token && value) sendEarly(JSON.parse(early), value, token);
