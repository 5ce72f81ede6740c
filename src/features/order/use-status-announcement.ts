import { type RefObject, useEffect, useRef } from "react";

/** Runs `announce` when the status changes. Focus that was lost with the previous panel moves to the new heading. */
export function useStatusAnnouncement(status: string, announce: () => void): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  const before = useRef(status);
  const focused = useRef<EventTarget | null>(null);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      focused.current = target;
    };
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, []);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    announce();
    if (focused.current instanceof Element && !focused.current.isConnected) root.current?.querySelector("h1")?.focus();
  }, [status, announce]);
  return root;
}
