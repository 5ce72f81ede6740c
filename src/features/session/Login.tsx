import { type FormEvent, useEffect, useRef, useState } from "react";
import TriangleAlert from "~icons/lucide/triangle-alert";
import { fill } from "../../../i18n/catalogue.ts";
import type { Prefix } from "../../../i18n/locale.ts";
import type { session } from "../../../i18n/session.ts";
import { ApiError, type Reason } from "../../api/errors.ts";
import { fieldErrors, toProblem } from "../../api/problem.ts";
import { useFocusFirstError } from "../../lib/use-first-wrong.ts";
import { useStore } from "../../lib/use-store.ts";
import { Button } from "../../ui/Button.tsx";
import { CodeInput } from "../../ui/CodeInput.tsx";
import { Field } from "../../ui/Field.tsx";
import { type IslandTexts, island } from "../../ui/Island.tsx";
import { Consent, type Terms } from "./Consent.tsx";
import { $sent, enter, requestCode, restoreSent } from "./login-code.ts";
import { redirectTarget } from "./redirect.ts";
import { $session } from "./store.ts";
import { useCountdown } from "./use-countdown.ts";

interface LoginProps extends Terms {
  states: IslandTexts & Record<Reason | "needsLoginTitle", string>;
  t: (typeof session)["zh-CN"];
  prefix: Prefix;
}

function LoginIsland({ t, prefix, states, ...terms }: LoginProps) {
  const sent = useStore($sent);
  const current = useStore($session);
  const [username, setUsername] = useState("");
  const [agreed, setAgreed] = useState(false);
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState<"" | "send" | "enter">("");
  const [errors, setErrors] = useState<Record<string, string>>({});
  const place = useFocusFirstError(errors);
  const consentBox = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  // Code and pause are of one number, and none of another's business.
  const mine = sent?.username === username.trim() ? sent : null;
  const seconds = useCountdown(mine?.resendAt ?? 0);

  useEffect(() => {
    restoreSent();
    setUsername((typed) => typed || $sent.get()?.username || "");
  }, []);
  useEffect(() => {
    if (current.state !== "member") return;
    location.replace(redirectTarget(new URLSearchParams(location.search).get("redirect"), prefix, location.origin));
  }, [current.state, prefix]);

  /** Why it failed, at the field that it is about. */
  function reasonsOf(kind: "send" | "enter", caught: unknown): Record<string, string> {
    const problem = toProblem(caught, states);
    const message = problem.kind === "failed" ? problem.message : states.needsLoginTitle;
    const isCode = kind === "enter" && caught instanceof ApiError;
    return fieldErrors(caught) ?? { [isCode ? "verification_code" : "form"]: message };
  }

  async function attempt(kind: "send" | "enter", action: () => Promise<unknown>) {
    setBusy(kind);
    setErrors({});
    try {
      await action();
      if (kind === "send") codeInput.current?.focus();
    } catch (caught) {
      setErrors(reasonsOf(kind, caught));
      if (kind === "enter") codeInput.current?.select();
    }
    setBusy("");
  }

  /** Nothing is sent before there is a name, and the terms are accepted. */
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
    if (!mine && !code) return sendNow();
    if (code.length !== 6) return setErrors({ verification_code: t.needCode });
    void attempt("enter", () => enter(username.trim(), code));
  };

  /** The last digit is the last thing to do. */
  const typeCode = (typed: string) => {
    setCode(typed);
    if (typed.length !== 6 || typed === code || busy || !username.trim() || !agreed) return;
    void attempt("enter", () => enter(username.trim(), typed));
  };

  return (
    <form ref={place} className="login-form" onSubmit={submit} noValidate>
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
        aside={mine?.target && <span className="dim">{fill(t.sentTo, { target: mine.target })}</span>}
        value={code}
        onCode={typeCode}
        error={errors.verification_code}
      />
      <p className="resend">
        <span className="dim" aria-live="polite">
          {seconds > 0 ? fill(t.resendIn, { seconds }) : t.codeHint}
        </span>
        <Button variant="soft" size="sm" busy={busy === "send"} disabled={seconds > 0 || busy !== ""} onClick={sendNow}>
          {mine ? t.resend : t.send}
        </Button>
      </p>
      {errors.form && (
        <div className="fld">
          <p className="err" role="alert">
            <TriangleAlert className="i" aria-hidden="true" />
            {errors.form}
          </p>
        </div>
      )}
      <Button type="submit" sign size="xl" busy={busy === "enter"}>
        {t.submit}
      </Button>
    </form>
  );
}

/** Phone number or account, then the code. Whoever is logged in already goes straight on. */
export const Login = island(LoginIsland);
