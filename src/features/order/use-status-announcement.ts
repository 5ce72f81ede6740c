import { type RefObject, useEffect, useRef } from "react";

/** Says a new state of the order aloud. What had the focus may have gone with the state before: then its heading has it. */
export function useStatusAnnouncement(status: string, say: () => void): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  const before = useRef(status);
  const focused = useRef<EventTarget | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      focused.current = target;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    say();
    if (focused.current instanceof Element && !focused.current.isConnected) root.current?.querySelector("h1")?.focus();
  }, [status, say]);
  return root;
}
