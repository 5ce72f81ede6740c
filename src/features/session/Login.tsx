import { type FormEvent, useEffect, useRef, useState } from "react";
import TriangleAlert from "~icons/lucide/triangle-alert";
import { fill } from "../../../i18n/catalogue.ts";
import type { Prefix } from "../../../i18n/locale.ts";
import type { session } from "../../../i18n/session.ts";
import { ApiError, type Reason } from "../../api/envelope.ts";
import { fieldErrors, toProblem } from "../../api/problem.ts";
import { useFocusFirstError } from "../../lib/scroll.ts";
import { useStore } from "../../lib/use-store.ts";
import { Button } from "../../ui/Button.tsx";
import { CodeInput } from "../../ui/form/CodeInput.tsx";
import { Field } from "../../ui/form/Field.tsx";
import { type IslandTexts, island } from "../../ui/Island.tsx";
import { Consent, type Terms } from "./Consent.tsx";
import { $sent, logIn, redirectTarget, requestCode, restoreSent } from "./login.ts";
import { $session } from "./store.ts";

/** Returns the whole seconds until `deadlineMs` (since the epoch), 0 afterwards. Renders again twice a second until then. */
function useSecondsLeft(deadlineMs: number): number {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (deadlineMs <= Date.now()) return;
    const timer = setInterval(() => {
      redraw(Date.now());
      if (deadlineMs <= Date.now()) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [deadlineMs]);
  return Math.max(0, Math.ceil((deadlineMs - Date.now()) / 1000));
}

interface LoginProps extends Terms {
  states: IslandTexts & Record<Reason | "needsLoginTitle", string>;
  t: (typeof session)["zh-CN"];
  prefix: Prefix;
}

function LoginIsland({ t, prefix, states, ...terms }: LoginProps) {
  const sent = useStore($sent);
  const session = useStore($session);
  const [username, setUsername] = useState("");
  const [agreed, setAgreed] = useState(false);
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState<"" | "send" | "logIn">("");
  const [errors, setErrors] = useState<Record<string, string>>({});
  const form = useFocusFirstError(errors);
  const consentBox = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  // A code and its countdown belong to one username.
  const ownCode = sent?.username === username.trim() ? sent : null;
  const seconds = useSecondsLeft(ownCode?.resendAt ?? 0);

  useEffect(() => {
    restoreSent();
    setUsername((typed) => typed || $sent.get()?.username || "");
  }, []);
  useEffect(() => {
    if (session.state !== "member") return;
    location.replace(redirectTarget(new URLSearchParams(location.search).get("redirect"), prefix, location.origin));
  }, [session.state, prefix]);

  /** Returns the text of a failure, by the field it belongs to. */
  function toErrors(kind: "send" | "logIn", error: unknown): Record<string, string> {
    const problem = toProblem(error, states);
    const message = problem.kind === "failed" ? problem.message : states.needsLoginTitle;
    const isCode = kind === "logIn" && error instanceof ApiError;
    return fieldErrors(error) ?? { [isCode ? "verification_code" : "form"]: message };
  }

  async function attempt(kind: "send" | "logIn", action: () => Promise<unknown>) {
    setBusy(kind);
    setErrors({});
    try {
      await action();
      if (kind === "send") codeInput.current?.focus();
    } catch (error) {
      setErrors(toErrors(kind, error));
      if (kind === "logIn") codeInput.current?.select();
    }
    setBusy((now) => (now === kind ? "" : now));
  }

  const needsCode = !ownCode && !code;
  /** Returns whether username and consent are given; else shows what is missing. */
  const isReady = () => {
    if (!username.trim()) setErrors({ username: t.needUsername });
    else if (!agreed) {
      setErrors({ consent: t.needConsent });
      consentBox.current?.focus();
    } else return true;
    return false;
  };
  const sendNow = () => {
    if (!isReady()) return;
    void attempt("send", () => requestCode(username.trim()));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || !isReady()) return;
    if (needsCode) return sendNow();
    if (code.length !== 6) return setErrors({ verification_code: t.needCode });
    void attempt("logIn", () => logIn(username.trim(), code));
  };

  /** Logs in after the sixth digit, also where the message has come before the response to its request. */
  const typeCode = (typed: string) => {
    setCode(typed);
    if (typed.length !== 6 || typed === code || busy === "logIn" || !username.trim() || !agreed) return;
    void attempt("logIn", () => logIn(username.trim(), typed));
  };

  return (
    <form ref={form} className="login-form grid gap-5 mt-7" onSubmit={submit} noValidate>
      <Field
        label={t.username}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        error={errors.username}
      />
      <Consent
        {...terms}
        t={t}
        ref={consentBox}
        agreed={agreed}
        onAgree={setAgreed}
        error={agreed ? undefined : errors.consent}
      />
      <CodeInput
        ref={codeInput}
        label={t.code}
        aside={ownCode?.target && <span className="text-ink-3 text-sm">{fill(t.sentTo, { target: ownCode.target })}</span>}
        value={code}
        onCode={typeCode}
        isWaiting={needsCode}
        error={errors.verification_code}
      />
      <p className="flex justify-between items-start min-h-11 text-sm -mt-3">
        <span className="text-ink-3" aria-live="polite">
          {seconds > 0 ? fill(t.resendIn, { seconds }) : t.codeHint}
        </span>
        {!needsCode && (
          <Button
            className="min-w-[9em] soft"
            size="sm"
            busy={busy === "send"}
            disabled={seconds > 0 || busy !== ""}
            onClick={sendNow}
          >
            {ownCode ? t.resend : t.send}
          </Button>
        )}
      </p>
      {errors.form && (
        <p className="flex gap-1.5 text-sm text-danger" role="alert">
          <TriangleAlert className="icon mt-[0.225em]" aria-hidden="true" />
          {errors.form}
        </p>
      )}
      <Button className="justify-between" type="submit" sign size="xl" busy={busy === "logIn" || (needsCode && busy !== "")}>
        {needsCode ? t.send : t.submit}
      </Button>
    </form>
  );
}

/** Login by phone number or account and a code. A member is redirected at once. */
export const Login = island(LoginIsland);
