import { type ComponentPropsWithRef, useId } from "react";
import { ariaProps, boxProps, FieldFrame, type FieldTexts } from "./FieldFrame.tsx";

type TextAreaProps = FieldTexts & ComponentPropsWithRef<"textarea">;

/** Several lines; grows with what is typed where the browser can. */
export function TextArea({ label, aside, hint, error, rows = 3, ...area }: TextAreaProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} hint={hint} error={error}>
      <div className={boxProps(error, area.disabled)}>
        <textarea rows={rows} {...ariaProps(id, { hint, error })} {...area} />
      </div>
    </FieldFrame>
  );
}
