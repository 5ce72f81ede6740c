import { type ComponentPropsWithRef, useId } from "react";
import { boxProps, describedBy, FieldFrame, type FieldLook } from "./FieldFrame.tsx";

type TextAreaProps = FieldLook & ComponentPropsWithRef<"textarea">;

/** Several lines; grows with what is typed where the browser can. */
export function TextArea({ label, aside, hint, error, rows = 3, ...area }: TextAreaProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} hint={hint} error={error}>
      <div className={boxProps(error, area.disabled)}>
        <textarea rows={rows} {...describedBy(id, { hint, error })} {...area} />
      </div>
    </FieldFrame>
  );
}
