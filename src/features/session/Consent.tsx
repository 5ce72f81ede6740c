import { type Ref, useEffect, useState } from "react";
import type { session } from "../../../i18n/session.ts";
import { Check } from "../../ui/Check.tsx";
import { $consent } from "./consent.ts";

/** What is accepted: where it stands, and of which day it is. */
export interface Terms {
  termsHref: string;
  privacyHref: string;
  day: string;
}

interface ConsentProps extends Terms {
  t: (typeof session)["zh-CN"];
  ref: Ref<HTMLInputElement>;
  agreed: boolean;
  onAgree: (agreed: boolean) => void;
  error: string | undefined;
}

/** The box to tick before a code is sent. It stays ticked on this device until the terms change. */
export function Consent({ t, ref, agreed, onAgree, error, termsHref, privacyHref, day }: ConsentProps) {
  const [remembered, setRemembered] = useState(false);
  useEffect(() => {
    if ($consent.get() !== day) return;
    setRemembered(true);
    onAgree(true);
  }, [day, onAgree]);
  const [before, between, after] = t.agree.split(/\{terms\}|\{privacy\}/);
  return (
    <Check
      // Another box: a click that was meant for the unticked one must not untick it.
      key={String(remembered)}
      ref={ref}
      name="consent"
      checked={agreed}
      onChange={({ target }) => {
        $consent.set(target.checked ? day : "");
        onAgree(target.checked);
      }}
      error={error}
      label={
        <>
          {before}
          <a className="link" href={termsHref}>
            {t.terms}
          </a>
          {between}
          <a className="link" href={privacyHref}>
            {t.privacy}
          </a>
          {after}
        </>
      }
    />
  );
}
