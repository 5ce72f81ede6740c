import type { ReactNode } from "react";
import TriangleAlert from "~icons/lucide/triangle-alert";

/** What every kind of field has beside its control. */
export interface FieldTexts {
  label: string;
  /** Stands at the label's end. */
  aside?: ReactNode;
  /** How to fill it in; stays while there is an error. */
  hint?: string | undefined;
  /** What is wrong, in words. */
  error?: string | undefined;
}

interface FieldFrameProps extends FieldTexts {
  id: string;
  children: ReactNode;
}

/** Label, control, hint, and the error in its place. */
export function FieldFrame({ id, label, aside, hint, error, children }: FieldFrameProps) {
  return (
    <div className="fld">
      <div className="fld-label">
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children}
      {hint && (
        <p className="hint" id={`${id}h`}>
          {hint}
        </p>
      )}
      <ErrorLine id={id} error={error} />
    </div>
  );
}

/** Where the error of a control stands; `id` is the control's. */
export function ErrorLine({ id, error }: { id: string; error: string | undefined }) {
  return (
    <p className="err" id={`${id}e`} role="alert">
      {error && <TriangleAlert className="i" aria-hidden="true" />}
      {error}
    </p>
  );
}

/** What the control says of itself; its `id` is the frame's. */
export function ariaProps(id: string, { hint, error }: { hint?: string | undefined; error?: string | undefined }) {
  const describedBy = [hint && `${id}h`, error && `${id}e`].filter(Boolean).join(" ");
  return { id, "aria-invalid": error ? true : undefined, "aria-describedby": describedBy || undefined };
}

/** The box that a control stands in. */
export function boxProps(error: string | undefined, disabled: boolean | undefined): string {
  return ["fld-in", error && "bad", disabled && "off"].filter(Boolean).join(" ");
}
