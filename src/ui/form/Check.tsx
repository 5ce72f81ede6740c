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
        {/* Beside the first line of its label; the browser draws it once it is ticked. */}
        <input
          className="flex-none size-5 mx-0 mt-[0.225rem] mb-0 accent-accent not-checked:appearance-none not-checked:bg-surface not-checked:[box-shadow:inset_0_0_0_1.5px_var(--line-strong)] forced-colors:border"
          type="checkbox"
          {...ariaProps(id, { error })}
          {...input}
        />
        <span>{label}</span>
      </label>
      <ErrorLine id={id} error={error} />
    </div>
  );
}
