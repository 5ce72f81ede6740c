import { atom } from "nanostores";
import * as v from "valibot";
import type { DataOf } from "../../api/call.ts";
import { send } from "../../api/client.ts";
import { codes } from "../../api/envelope.ts";
import { ApiError } from "../../api/errors.ts";
import { login, sendCode } from "../../api/login.ts";
import { beginSession } from "./store.ts";

/** The code that is on its way, kept for the tab: a reload neither loses it nor allows another before its time. */
export interface SentCode {
  username: string;
  target: string;
  /** Milliseconds since the epoch, by this device's clock, which also counts it down. */
  resendAt: number;
}

const key = "LOGIN_CODE";

const sentShape = v.object({ username: v.string(), target: v.string(), resendAt: v.number() });

function kept(): SentCode | null {
  try {
    const value = v.safeParse(sentShape, JSON.parse(sessionStorage.getItem(key) ?? "null"));
    return value.success ? value.output : null;
  } catch {
    return null;
  }
}

export const $sent = atom<SentCode | null>(null);

export function restoreSent(): void {
  $sent.set(kept());
}

function keep(sent: SentCode | null): void {
  $sent.set(sent);
  try {
    if (sent) sessionStorage.setItem(key, JSON.stringify(sent));
    else sessionStorage.removeItem(key);
  } catch {}
}

/** What goes wrong is said in the form, and nowhere else. */
const drawn = { notify: false };

const retryShape = v.object({ retry_after: v.number() });

function retryAfter(caught: unknown): number | null {
  if (!(caught instanceof ApiError) || caught.code !== codes.tooFrequent) return null;
  const data = v.safeParse(retryShape, caught.envelope.data);
  return data.success ? data.output.retry_after : null;
}

/** Sends a code. Too early, and the countdown shows when it will be possible. Rejects as `send` does. */
export async function requestCode(username: string): Promise<void> {
  try {
    const { target, resend_after } = await send(sendCode, { username }, drawn);
    keep({ username, target, resendAt: Date.now() + resend_after * 1000 });
  } catch (caught) {
    const seconds = retryAfter(caught);
    const before = $sent.get();
    const target = before?.username === username ? before.target : "";
    if (seconds !== null) keep({ username, target, resendAt: Date.now() + seconds * 1000 });
    throw caught;
  }
}

/** Logs in, which stores token and user. Rejects as `send` does. */
export async function enter(username: string, code: string): Promise<DataOf<typeof login>> {
  const answer = await send(login, { username, verification_code: code }, drawn);
  keep(null);
  beginSession(answer.token, answer.info, username);
  return answer;
}
