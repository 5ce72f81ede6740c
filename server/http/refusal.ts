import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { fixPrefixCase, splitPrefix, withPrefix } from "#i18n/locale.ts";
import { codes } from "#src/api/envelope.ts";
import { isApiPath, type refusalStatuses } from "#src/routes.ts";
import { getMessage } from "./envelope.ts";
import type { Bindings } from "./request.ts";

// Responses to requests that never reach an app, because they are malformed or too long.

export type Fetch = (request: Request, bindings: Bindings) => Response | Promise<Response>;
export type RefusalStatus = (typeof refusalStatuses)[number] | 408;

export interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const envelope = { code: codes.badParameter, msg: getMessage(codes.badParameter, "en-US", null), data: null };
const envelopeHeaders = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** Time that a client has to read the response before its connection is destroyed, in ms. */
const lingerTime = 2_000;

/** Creates the response to the target of a request line: for a page's, the error page that `fetch` returns in its language; for a call, and without a target, a 400 (or 408) with an envelope. */
export async function createRefusal(
  fetch: Fetch,
  bindings: Bindings,
  status: RefusalStatus,
  target: string | undefined,
): Promise<Refusal> {
  const page = target === undefined || isApiTarget(target) ? null : await fetchPage(fetch, bindings, status, target);
  const body = page ? Buffer.from(await page.arrayBuffer()) : Buffer.from(JSON.stringify(envelope));
  const headers = page ? Object.fromEntries(page.headers) : envelopeHeaders;
  return {
    status: page || status === 408 ? status : 400,
    headers: { ...headers, "content-length": String(body.byteLength), connection: "close" },
    body,
  };
}

/** Removes the query of a target, and the origin of one in absolute form. */
const toPathname = (target: string) => target.replace(/^https?:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
const isApiTarget = (target: string) => isApiPath(toPathname(target));

/** Returns the error page in the language of a target; null when the site has none. */
async function fetchPage(fetch: Fetch, bindings: Bindings, status: RefusalStatus, target: string): Promise<Response | null> {
  const { prefix } = splitPrefix(fixPrefixCase(toPathname(target)));
  const page = await fetch(new Request(`http://localhost${withPrefix(prefix, `/${status}`)}`), bindings);
  return page.status === status && page.headers.get("content-type")?.startsWith("text/html") ? page : null;
}

export function sendRefusal(response: ServerResponse, { status, headers, body }: Refusal): void {
  response.writeHead(status, headers).end(body);
}

/** Sends a response on a bare connection and closes it, even if the client keeps its side open. */
export function writeRefusal(socket: Duplex, { status, headers, body }: Refusal): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`), body]));
  // Destroying at once would discard the response when the client has sent unread data.
  setTimeout(() => socket.destroy(), lingerTime).unref();
}
