import type { Context as HonoContext } from "hono";
import { type Locale, locales, requestedLocale } from "#i18n/locale.ts";
import { ApiError } from "#server/lib/errors.ts";
import { readBody } from "#server/lib/read-body.ts";
import { codes } from "#src/api/envelope.ts";

/** The request of Node's server. */
export interface Bindings {
  incoming: { socket: { remoteAddress?: string | undefined } };
}

/** Hono's environment. `code` is the envelope's; `network`, as in `RequestContext`, and the unchecked `payload` belong to a call. */
export interface Env {
  Bindings: Bindings;
  Variables: { requestId: string; code?: number; locale?: Locale; network: string; payload?: unknown };
}

/** Returns the language of an API response: the one that Accept-Language prefers. Parses the header once per request. */
export function getRequestLocale(c: HonoContext<Env>): Locale {
  const cached = c.get("locale");
  if (cached) return cached;
  const locale = requestedLocale(c.req.header("accept-language"));
  c.set("locale", locale);
  return locale;
}

/** Returns the language of an HTML page that the API server renders: `?lang=`, else the one that Accept-Language prefers. */
export function getPageLocale(c: HonoContext<Env>): Locale {
  const lang = c.req.query("lang");
  return locales.find((locale) => locale === lang) ?? requestedLocale(c.req.header("accept-language"));
}

/** Of a request's body, in bytes. */
export const maxBodySize = 64 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Parses a request's JSON body; undefined for an empty one. Throws 413 above 64 KB, 415 for another content type and a compressed one, 400 for anything but JSON in UTF-8. */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.byteLength === 0) return undefined;
  if (!/^(identity)?$/i.test(request.headers.get("content-encoding") ?? "")) throw toBodyError(415);
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type)) throw toBodyError(415);
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw toBodyError(400);
  }
}

/**
 * Returns a request's raw body. Throws 413 above 64 KB, 400 when the body breaks off. `hono/body-limit` opens the body as a stream even with Content-Length, which
 * more than doubles the time of a call (131 % more), and a chunked body that breaks off would become a 500.
 */
export async function readBytes(request: Request): Promise<Buffer> {
  try {
    return await readAll(request);
  } catch (error) {
    // Only the connection can fail here. The client is gone; the request log gets the status.
    throw error instanceof ApiError ? error : toBodyError(400);
  }
}

async function readAll(request: Request): Promise<Buffer> {
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > maxBodySize) throw toBodyError(413);
  // Node's parser enforces Content-Length, and reading such a body at once costs a fraction of streaming it.
  if (length !== null) {
    const bytes = Buffer.from(await request.arrayBuffer());
    if (bytes.byteLength > maxBodySize) throw toBodyError(413);
    return bytes;
  }
  return readBody(request.body, maxBodySize, () => toBodyError(413));
}

const toBodyError = (status: 400 | 413 | 415) => new ApiError(codes.badParameter, null, status);
