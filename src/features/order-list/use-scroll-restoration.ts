import { useEffect, useRef } from "react";

/** Notes in the history how far one had scrolled, and scrolls there once when what was scrolled is here again. */
export function useScrollRestoration(isHere: boolean): void {
  const done = useRef(false);
  useEffect(() => {
    // The browser would scroll through what only stands in for the list.
    history.scrollRestoration = "manual";
    const keep = () => history.replaceState({ ...history.state, scrolled: window.scrollY }, "");
    addEventListener("pagehide", keep);
    return () => removeEventListener("pagehide", keep);
  }, []);
  useEffect(() => {
    if (!isHere || done.current) return;
    done.current = true;
    const scrolled: unknown = history.state?.scrolled;
    if (typeof scrolled !== "number" || window.scrollY >= scrolled) return;
    // A frame after the list has been drawn, or the footer below it would count as having moved.
    const scroll = () => window.scrollTo({ top: scrolled, behavior: "instant" });
    requestAnimationFrame(() => requestAnimationFrame(scroll));
  }, [isHere]);
}
