import type { ReactNode } from "react";

export type ChipPosition = "top-right" | "bottom-right" | "top-left" | "bottom-left";

interface ChipProps {
  /** What it stands on. */
  children: ReactNode;
  /** What it says, in words: a dot alone says nothing to those who cannot see it. */
  label: string;
  position?: ChipPosition;
  /** A number makes it a count; from 100 on it is 99+. Nothing: a dot. */
  count?: number | undefined;
  color?: "accent" | "danger";
  /** Stands on something round: set in by 14.6 %, so that it sits on the circle. */
  round?: boolean;
}

// Whole words: what only comes together in a script is taken for unused.
const corners: Record<ChipPosition, string> = {
  "top-right": "at-top-right",
  "bottom-right": "at-bottom-right",
  "top-left": "at-top-left",
  "bottom-left": "at-bottom-left",
};

/** A dot or a count at a corner of something. */
export function Chip({ children, label, position = "top-right", count, color = "accent", round }: ChipProps) {
  const names = ["chip", corners[position], count !== undefined && "n", color === "danger" && "bad", round && "round"];
  return (
    <span className="chipped">
      {children}
      <span className={names.filter(Boolean).join(" ")}>
        {count !== undefined && <span aria-hidden="true">{count > 99 ? "99+" : count}</span>}
        <span className="vh">{label}</span>
      </span>
    </span>
  );
}
