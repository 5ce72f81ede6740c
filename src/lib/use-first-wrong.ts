import { type RefObject, useEffect, useRef } from "react";

/** Moves focus to the first wrong field of a form, and the field into view, whenever a submit has found errors. Returns the form's ref. */
export function useFirstWrong(errors: Readonly<Record<string, string>>): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    const field = form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-wrong] input:enabled");
    field?.focus({ preventScroll: true });
    // With its label and what is wrong with it.
    field?.closest(".fld, fieldset")?.scrollIntoView({ block: "nearest" });
  }, [errors]);
  return form;
}
