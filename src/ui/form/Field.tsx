import { type ComponentPropsWithRef, useId } from "react";
import { ariaProps, FieldFrame, type FieldTexts } from "./FieldFrame.tsx";

type FieldProps = FieldTexts & ComponentPropsWithRef<"input">;

/** A labelled text input with its error in place. */
export function Field({ label, aside, hint, error, ...input }: FieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} hint={hint} error={error}>
      <div className="field-box">
        <input
          className="flex-1 min-w-0 bg-transparent outline-none [box-shadow:none] px-0 py-3 leading-normal disabled:cursor-not-allowed"
          {...ariaProps(id, { hint, error })}
          {...input}
        />
      </div>
    </FieldFrame>
  );
}
