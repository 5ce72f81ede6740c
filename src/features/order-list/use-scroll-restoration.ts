import { useEffect, useRef } from "react";

/** Stores the scroll position in the history and restores it once, when the content has been drawn again. */
export function useScrollRestoration(isReady: boolean): void {
  const done = useRef(false);
  useEffect(() => {
    // The browser would restore it on the skeleton.
    history.scrollRestoration = "manual";
    const save = () => history.replaceState({ ...history.state, scrolled: window.scrollY }, "");
    addEventListener("pagehide", save);
    return () => removeEventListener("pagehide", save);
  }, []);
  useEffect(() => {
    if (!isReady || done.current) return;
    done.current = true;
    const scrolled: unknown = history.state?.scrolled;
    if (typeof scrolled !== "number" || window.scrollY >= scrolled) return;
    // One frame after the list is drawn: otherwise the footer counts as a layout shift.
    const scroll = () => window.scrollTo({ top: scrolled, behavior: "instant" });
    requestAnimationFrame(() => requestAnimationFrame(scroll));
  }, [isReady]);
}
