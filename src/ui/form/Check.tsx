import { type ComponentPropsWithRef, type ReactNode, useId } from "react";
import { ariaProps, ErrorLine } from "./Field.tsx";

interface CheckProps extends ComponentPropsWithRef<"input"> {
  label: ReactNode;
  /** Error message. */
  error?: string | undefined;
}

/** A labelled check box, 44 px high, with its error below. */
export function Check({ label, error, ...input }: CheckProps) {
  const id = useId();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-1.5" data-field>
      <label className="[font-weight:inherit] text-[inherit] flex items-start gap-3 min-h-11 py-2 cursor-pointer">
        <input className="check-box" type="checkbox" {...ariaProps(id, { error })} {...input} />
        <span>{label}</span>
      </label>
      <ErrorLine id={id} error={error} />
    </div>
  );
}
