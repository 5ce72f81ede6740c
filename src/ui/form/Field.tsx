import { type ComponentPropsWithRef, type ReactElement, useId } from "react";
import TriangleAlert from "~icons/lucide/triangle-alert";
import type { Elements } from "../elements.ts";

/** Texts of every kind of field. */
export interface FieldTexts {
  label: string;
  /** At the end of the label. */
  aside?: Elements;
  /** How to fill it in; stays beside an error. */
  hint?: string | undefined;
  /** Error message. */
  error?: string | undefined;
}

interface FieldFrameProps extends FieldTexts {
  id: string;
  /** Where its rows stand in a taller place: at the start, unless the control grows. */
  rows?: string;
  children: ReactElement;
}

/** Label, control, hint and error of a field. */
export function FieldFrame({ id, label, aside, hint, error, rows = "content-start", children }: FieldFrameProps) {
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)] gap-1.5 ${rows}`} data-field>
      <div className="flex justify-between gap-4">
        <label className="font-semibold text-sm" htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      {children}
      {hint && (
        <p className="text-sm text-ink-3" id={`${id}h`}>
          {hint}
        </p>
      )}
      <ErrorLine id={id} error={error} />
    </div>
  );
}

/** The error of the control with this `id`. */
export function ErrorLine({ id, error }: { id: string; error: string | undefined }) {
  return (
    <p className="flex gap-1.5 text-sm text-danger empty:hidden" id={`${id}e`} role="alert">
      {error && (
        <>
          <TriangleAlert className="icon mt-[0.225em]" aria-hidden="true" />
          <span>{error}</span>
        </>
      )}
    </p>
  );
}

/** Returns `id` and ARIA attributes of the control. */
export function ariaProps(id: string, { hint, error }: { hint?: string | undefined; error?: string | undefined }) {
  const describedBy = [hint && `${id}h`, error && `${id}e`].filter(Boolean).join(" ");
  return { id, "aria-invalid": error ? true : undefined, "aria-describedby": describedBy || undefined };
}

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
