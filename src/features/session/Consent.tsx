import { type Ref, useEffect, useState } from "react";
import type { session } from "#i18n/session.ts";
import { Check } from "#src/ui/form/Check.tsx";
import { $consent } from "./login.ts";

/** Links to the documents that the member accepts, and their date. */
export interface Terms {
  termsHref: string;
  privacyHref: string;
  /** The date of the newest version. */
  updatedOn: string;
}

interface ConsentProps extends Terms {
  t: (typeof session)["zh-CN"];
  ref: Ref<HTMLInputElement>;
  agreed: boolean;
  onAgree: (agreed: boolean) => void;
  error: string | undefined;
}

/** The consent box, required before a code is sent. It stays ticked on this device until the terms change. */
export function Consent({ t, ref, agreed, onAgree, error, termsHref, privacyHref, updatedOn }: ConsentProps) {
  const [isRestored, setRestored] = useState(false);
  useEffect(() => {
    if ($consent.get() !== updatedOn) return;
    setRestored(true);
    onAgree(true);
  }, [updatedOn, onAgree]);
  const [before, between, after] = t.agree.split(/\{terms\}|\{privacy\}/);
  return (
    <Check
      // Remounts once restored: a click on the unticked box must not untick it.
      key={String(isRestored)}
      ref={ref}
      name="consent"
      checked={agreed}
      onChange={({ target }) => {
        $consent.set(target.checked ? updatedOn : "");
        onAgree(target.checked);
      }}
      error={error}
      label={
        <>
          <span>{before}</span>
          <a className="link" href={termsHref}>
            {t.terms}
          </a>
          <span>{between}</span>
          <a className="link" href={privacyHref}>
            {t.privacy}
          </a>
          <span>{after}</span>
        </>
      }
    />
  );
}
