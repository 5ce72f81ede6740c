import { type FormEvent, useEffect, useRef, useState } from "react";
import { fill } from "#i18n/catalogue.ts";
import type { Prefix } from "#i18n/locale.ts";
import type { session } from "#i18n/session.ts";
import type { Reason } from "#src/api/envelope.ts";
import { useFocusFirstError } from "#src/lib/scroll.ts";
import { useStore } from "#src/lib/use-store.ts";
import { Button } from "#src/ui/Button.tsx";
import { CodeInput } from "#src/ui/form/CodeInput.tsx";
import { Field } from "#src/ui/form/Field.tsx";
import { type IslandTexts, island } from "#src/ui/Island.tsx";
import TriangleAlert from "~icons/lucide/triangle-alert";
import { Consent, type Terms } from "./Consent.tsx";
import { $sent, redirectTarget } from "./login.ts";
import { getOwnCode, loginFormStore } from "./login-form.ts";
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
  const [store] = useState(() => loginFormStore({ ...t, ...states }));
  const { username, agreed, code, busy, errors } = useStore(store.$form);
  const sent = useStore($sent);
  const session = useStore($session);
  const form = useFocusFirstError(errors);
  const consentBox = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  const ownCode = getOwnCode(sent, username);
  const seconds = useSecondsLeft(ownCode?.resendAt ?? 0);
  const needsCode = !ownCode && !code;

  useEffect(() => store.restore(), [store]);
  useEffect(() => {
    if (session.state !== "member") return;
    location.replace(redirectTarget(new URLSearchParams(location.search).get("redirect"), prefix, location.origin));
  }, [session.state, prefix]);

  async function run(action: ReturnType<typeof store.submit>) {
    const next = await action;
    if (next === "consent") consentBox.current?.focus();
    if (next === "code") codeInput.current?.focus();
    if (next === "wrongCode") codeInput.current?.select();
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(store.submit());
  };

  return (
    <form ref={form} className="login-form grid gap-5 mt-7 noscript:hidden" onSubmit={submit} noValidate>
      <Field
        label={t.username}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        value={username}
        onChange={(event) => store.setUsername(event.target.value)}
        error={errors.username}
      />
      <Consent
        {...terms}
        t={t}
        ref={consentBox}
        agreed={agreed}
        onAgree={store.setAgreed}
        error={agreed ? undefined : errors.consent}
      />
      <CodeInput
        ref={codeInput}
        label={t.code}
        aside={ownCode?.target && <span className="text-ink-3 text-sm">{fill(t.sentTo, { target: ownCode.target })}</span>}
        value={code}
        onCode={(typed) => void run(store.typeCode(typed))}
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
            onClick={() => void run(store.sendCode())}
          >
            {ownCode ? t.resend : t.send}
          </Button>
        )}
      </p>
      {errors.form && (
        <p className="flex gap-1.5 text-sm text-danger" role="alert">
          <TriangleAlert className="icon mt-[0.225em]" aria-hidden="true" />
          <span>{errors.form}</span>
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
