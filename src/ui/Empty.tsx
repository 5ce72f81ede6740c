import type { ReactNode } from "react";

interface EmptyProps {
  title: string;
  /** One line. */
  body?: string;
  /** One link or button. */
  children?: ReactNode;
}

/** An empty state: a closed door, one line, one action. */
export function Empty({ title, body, children }: EmptyProps) {
  return (
    <div className="empty">
      <svg
        className="w-32 h-24 text-line-strong"
        viewBox="0 0 128 96"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
      >
        <path d="M4 92h120M40 92V12h48v80M46 92V18h36v74" />
        <circle cx="76" cy="56" r="2.5" fill="currentColor" />
        <path className="fill-accent" stroke="none" d="M100 30h16v10h-16z" />
      </svg>
      <h2>{title}</h2>
      {body && <p className="text-ink-2">{body}</p>}
      {children && <p className="ways flex flex-wrap gap-3 mt-2">{children}</p>}
    </div>
  );
}
