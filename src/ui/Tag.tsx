import type { ReactNode } from "react";

export type TagTone = "plain" | "on" | "wash" | "warn" | "bad" | "info" | "line";

interface TagProps {
  tone?: TagTone;
  children: ReactNode;
}

const tones = {
  plain: "",
  on: "bg-accent text-on-accent",
  wash: "bg-wash text-accent-ink",
  warn: "bg-warn-wash text-warn",
  bad: "bg-danger-wash text-danger",
  info: "bg-info-wash text-info",
  line: "tag-line",
} satisfies Record<TagTone, string>;

/** Label of a status. */
export function Tag({ tone = "plain", children }: TagProps) {
  return <span className={`tag ${tones[tone]}`}>{children}</span>;
}
