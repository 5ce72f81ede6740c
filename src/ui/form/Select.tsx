import { type ComponentPropsWithRef, useId } from "react";
import ChevronDown from "~icons/lucide/chevron-down";
import { ariaProps, FieldFrame, type FieldTexts } from "./Field.tsx";

type SelectProps = FieldTexts & ComponentPropsWithRef<"select">;

/** A labelled native select; its children are options. */
export function Select({ label, aside, hint, error, ...select }: SelectProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} hint={hint} error={error}>
      <div className="field-box">
        <select
          className="flex-1 min-w-0 border-0 bg-transparent outline-none [box-shadow:none] px-0 py-3 pr-8 leading-normal appearance-none -mr-8 text-ellipsis cursor-pointer disabled:cursor-not-allowed"
          {...ariaProps(id, { hint, error })}
          {...select}
        />
        <ChevronDown className="icon pointer-events-none text-ink-3" aria-hidden="true" />
      </div>
    </FieldFrame>
  );
}
