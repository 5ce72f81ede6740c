import { persistentAtom } from "@nanostores/persistent";
import { atom } from "nanostores";
import * as v from "valibot";
import { type Prefix, withPrefix } from "#i18n/locale.ts";
import type { DataOf } from "#src/api/call.ts";
import { send } from "#src/api/client.ts";
import { ApiError, codes } from "#src/api/envelope.ts";
import { login, sendCode } from "#src/api/login.ts";
import { getHere, link, matchRoute } from "#src/routes.ts";
import { beginSession } from "./store.ts";

/** The code sent last, stored for the tab: the countdown survives a reload. */
export interface SentCode {
  username: string;
  target: string;
  /** Milliseconds since the epoch, by this device's clock. */
  resendAt: number;
}

const key = "LOGIN_CODE";

const sentSchema = v.object({ username: v.string(), target: v.string(), resendAt: v.number() });

function readSentCode(): SentCode | null {
  try {
    const value = v.safeParse(sentSchema, JSON.parse(sessionStorage.getItem(key) ?? "null"));
    return value.success ? value.output : null;
  } catch {
    return null;
  }
}

/** Date of the terms accepted on this device; "" before. Changed terms need a new consent. */
export const $consent = persistentAtom<string>("LOGIN_CONSENT", "");

export const $sent = atom<SentCode | null>(null);

export function restoreSent(): void {
  $sent.set(readSentCode());
}

function saveSentCode(sent: SentCode | null): void {
  $sent.set(sent);
  try {
    if (sent) sessionStorage.setItem(key, JSON.stringify(sent));
    else sessionStorage.removeItem(key);
  } catch {}
}

/** The form shows failures itself. */
const formOptions = { notify: false };

const retrySchema = v.object({ retry_after: v.number() });

/** Returns the seconds until the next code may be sent, when that is why the call failed. */
function getRetryAfter(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== codes.tooFrequent) return null;
  const data = v.safeParse(retrySchema, error.envelope.data);
  return data.success ? data.output.retry_after : null;
}

/** Requests a code. Starts the countdown, also when the request came too early. Rejects as `send` does. */
export async function requestCode(username: string): Promise<void> {
  try {
    const { target, resend_after } = await send(sendCode, { username }, formOptions);
    saveSentCode({ username, target, resendAt: Date.now() + resend_after * 1000 });
  } catch (error) {
    const seconds = getRetryAfter(error);
    const before = $sent.get();
    const target = before?.username === username ? before.target : "";
    if (seconds !== null) saveSentCode({ username, target, resendAt: Date.now() + seconds * 1000 });
    throw error;
  }
}

/** Logs in and stores token and user. Rejects as `send` does. */
export async function logIn(username: string, code: string): Promise<DataOf<typeof login>> {
  const response = await send(login, { username, verification_code: code }, formOptions);
  saveSentCode(null);
  beginSession(response.token, response.info, username);
  return response;
}

/**
 * Returns the target of a `redirect=` value in the visitor's prefix: a page of the route table except the login, otherwise the home page.
 * The same origin is not enough: `new URL("/..//evil.example", origin)` has it, and `blob:` URLs report it.
 */
export function redirectTarget(value: string | null, prefix: Prefix, origin: string): string {
  const home = link(prefix, "home");
  if (!value?.startsWith("/") || /^\/[/\\]/.test(value)) return home;
  let url: URL;
  try {
    url = new URL(value, origin);
  } catch {
    return home;
  }
  if (url.origin !== origin || !/^https?:$/.test(url.protocol)) return home;
  const { path } = getHere(url);
  const match = matchRoute(path);
  if (!match || match.name === "login") return home;
  return withPrefix(prefix, path) + url.search + url.hash;
}
