import { type RefObject, useEffect, useRef } from "react";

/** Focuses the first invalid field of a form and scrolls it into view after a submit with errors. Returns the form's ref. */
export function useFocusFirstError(errors: Readonly<Record<string, string>>): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    const field = form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-wrong] input:enabled");
    field?.focus({ preventScroll: true });
    // With its label and error.
    field?.closest("[data-field], fieldset")?.scrollIntoView({ block: "nearest" });
  }, [errors]);
  return form;
}

/** Scrolls to a new element after its paint: in the same frame, the browser would count a layout shift. */
export function scrollOnceDrawn(element: Element | null, block: ScrollLogicalPosition): void {
  requestAnimationFrame(() => setTimeout(() => element?.scrollIntoView({ block })));
}
