import { type ComponentPropsWithRef, useId } from "react";
import ChevronDown from "~icons/lucide/chevron-down";
import { ariaProps, FieldFrame, type FieldTexts, getBoxClass } from "./FieldFrame.tsx";

type SelectProps = FieldTexts & ComponentPropsWithRef<"select">;

/** A labelled native select; its children are options. */
export function Select({ label, aside, hint, error, ...select }: SelectProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} hint={hint} error={error}>
      <div className={getBoxClass(error, select.disabled)}>
        <select {...ariaProps(id, { hint, error })} {...select} />
        <ChevronDown className="icon" aria-hidden="true" />
      </div>
    </FieldFrame>
  );
}
