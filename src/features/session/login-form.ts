import { map } from "nanostores";
import type { session } from "#i18n/session.ts";
import { ApiError, type Reason } from "#src/api/envelope.ts";
import { fieldErrors, toProblem } from "#src/api/problem.ts";
import { $sent, logIn, requestCode, restoreSent, type SentCode } from "./login.ts";

type Action = "send" | "logIn";

/** What the visitor does after an action: tick the box, type the code, or type over a wrong one. */
type NextStep = "consent" | "code" | "wrongCode" | null;

export interface LoginForm {
  username: string;
  agreed: boolean;
  code: string;
  /** The action in flight. */
  busy: Action | "";
  /** Messages by field; `form` is about none of them. */
  errors: Record<string, string>;
}

type LoginFormTexts = Pick<(typeof session)["zh-CN"], "needUsername" | "needConsent" | "needCode"> &
  Record<Reason | "needsLoginTitle", string>;

/** Returns the code that was sent to a username, with its countdown. */
export const getOwnCode = (sent: SentCode | null, username: string) => (sent?.username === username.trim() ? sent : null);

/** Holds what a visitor types to log in, and sends it. */
export function loginFormStore(texts: LoginFormTexts) {
  const $form = map<LoginForm>({ username: "", agreed: false, code: "", busy: "", errors: {} });
  const needsCode = () => !getOwnCode($sent.get(), $form.get().username) && !$form.get().code;

  /** Returns the text of a failure, by the field it belongs to. */
  function toErrors(action: Action, error: unknown): Record<string, string> {
    const problem = toProblem(error, texts);
    const message = problem.kind === "failed" ? problem.message : texts.needsLoginTitle;
    const isCode = action === "logIn" && error instanceof ApiError;
    return fieldErrors(error) ?? { [isCode ? "verification_code" : "form"]: message };
  }

  async function attempt(action: Action): Promise<NextStep> {
    const { username, code } = $form.get();
    let next: NextStep = action === "send" ? "code" : null;
    $form.set({ ...$form.get(), busy: action, errors: {} });
    try {
      await (action === "send" ? requestCode(username.trim()) : logIn(username.trim(), code));
    } catch (error) {
      next = action === "send" ? null : "wrongCode";
      $form.setKey("errors", toErrors(action, error));
    }
    // A code that comes before the response to its request has begun the log-in.
    if ($form.get().busy === action) $form.setKey("busy", "");
    return next;
  }

  /** Returns what is missing before anything can be sent. */
  function getMissing(): Record<string, string> | null {
    const { username, agreed } = $form.get();
    if (!username.trim()) return { username: texts.needUsername };
    return agreed ? null : { consent: texts.needConsent };
  }

  /** Runs an action once username and consent are given; else shows what is missing. */
  async function attemptIfComplete(action: Action): Promise<NextStep> {
    const missing = getMissing();
    if (!missing) return attempt(action);
    $form.setKey("errors", missing);
    return missing.consent ? "consent" : null;
  }

  return {
    $form,
    /** Shows the username and countdown of before a reload. */
    restore() {
      restoreSent();
      if (!$form.get().username) $form.setKey("username", $sent.get()?.username ?? "");
    },
    setUsername: (username: string) => $form.setKey("username", username),
    setAgreed: (agreed: boolean) => $form.setKey("agreed", agreed),
    /** Takes what is typed of the code; logs in after the sixth digit, also where the message has come before the response to its request. */
    async typeCode(code: string): Promise<NextStep> {
      const { busy, code: before } = $form.get();
      $form.setKey("code", code);
      return code.length === 6 && code !== before && busy !== "logIn" && !getMissing() ? attempt("logIn") : null;
    },
    sendCode: () => attemptIfComplete("send"),
    async submit(): Promise<NextStep> {
      const { busy, code } = $form.get();
      if (busy) return null;
      if (needsCode()) return attemptIfComplete("send");
      if (getMissing() || code.length === 6) return attemptIfComplete("logIn");
      $form.setKey("errors", { verification_code: texts.needCode });
      return null;
    },
  };
}
