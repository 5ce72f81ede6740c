import { type ComponentPropsWithRef, useId } from "react";
import { ariaProps, FieldFrame, type FieldTexts } from "./Field.tsx";

type TextAreaProps = FieldTexts & ComponentPropsWithRef<"textarea">;

/** A labelled multi-line field; grows with its text in browsers with `field-sizing`. */
export function TextArea({ label, aside, hint, error, rows = 3, ...area }: TextAreaProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} hint={hint} error={error} rows="lg:grid-rows-[auto_1fr]">
      <div className="field-box">
        <textarea
          className="flex-1 self-stretch min-w-0 border-0 bg-transparent outline-none [box-shadow:none] px-0 py-3 leading-normal resize-none field-sizing-content min-h-18 disabled:cursor-not-allowed"
          rows={rows}
          {...ariaProps(id, { hint, error })}
          {...area}
        />
      </div>
    </FieldFrame>
  );
}
