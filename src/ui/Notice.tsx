import type { ReactNode } from "react";
import CircleCheck from "~icons/lucide/circle-check";
import Info from "~icons/lucide/info";
import TriangleAlert from "~icons/lucide/triangle-alert";

type NoticeTone = "warn" | "info" | "bad" | "done";

interface NoticeProps {
  tone?: NoticeTone;
  title?: string;
  children: ReactNode;
}

const tones: Record<NoticeTone, string> = {
  warn: "notice",
  info: "notice bg-info-wash text-info",
  bad: "notice bg-danger-wash text-danger",
  done: "notice bg-wash text-accent-ink",
};

const icons = { warn: TriangleAlert, info: Info, bad: TriangleAlert, done: CircleCheck };

/** A permanent message in the page, unlike a notification. */
export function Notice({ tone = "warn", title, children }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className={tones[tone]}>
      <Icon className="icon mt-[0.175em]" aria-hidden="true" />
      <p>
        {title && <b className="block text-[inherit] font-semibold">{title}</b>}
        <span>{children}</span>
      </p>
    </div>
  );
}
