import type { ReactNode } from "react";

export type TagTone = "plain" | "on" | "wash" | "warn" | "bad" | "info" | "line";

interface TagProps {
  tone?: TagTone;
  /** Something is going on right now: a dot that breathes. */
  live?: boolean;
  children: ReactNode;
}

/** A state, always with its word. Places have plates. */
export function Tag({ tone = "plain", live, children }: TagProps) {
  return <span className={["tag", tone !== "plain" && tone, live && "live"].filter(Boolean).join(" ")}>{children}</span>;
}
