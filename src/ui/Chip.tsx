import type { ReactNode } from "react";

/** A class: pages have the styles of those that they name. */
type ChipCorner = "at-bottom-right" | "at-top-left" | "at-bottom-left";

interface ChipProps {
  /** Element under the chip. */
  children: ReactNode;
  /** Text for screen readers. */
  label: string;
  /** By default, the top right one. */
  corner?: ChipCorner | undefined;
  /** Count, 99+ from 100 on; a dot when missing. */
  count?: number | undefined;
  color?: "accent" | "danger";
  /** Moves the chip onto a circle: inset by 14.6 %. */
  round?: boolean;
}

/** A dot or a count at a corner of an element. */
export function Chip({ children, label, corner, count, color = "accent", round }: ChipProps) {
  const names = ["chip", corner, count !== undefined && "n", color === "danger" && "bad", round && "round"];
  return (
    <span className="relative inline-grid">
      {children}
      <span className={names.filter(Boolean).join(" ")}>
        {count !== undefined && <span aria-hidden="true">{count > 99 ? "99+" : count}</span>}
        <span className="sr-only">{label}</span>
      </span>
    </span>
  );
}
