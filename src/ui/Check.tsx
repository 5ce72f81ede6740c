import type { ComponentPropsWithRef } from "react";

interface CheckProps extends ComponentPropsWithRef<"input"> {
  label: string;
}

/** A labelled check box, 44 px high. */
export function Check({ label, ...input }: CheckProps) {
  return (
    <label className="tickbox">
      <input type="checkbox" {...input} />
      <span>{label}</span>
    </label>
  );
}
