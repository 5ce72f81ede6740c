import type { ReactNode } from "react";

type ChipPosition = "top-right" | "bottom-right" | "top-left" | "bottom-left";

interface ChipProps {
  /** Element under the chip. */
  children: ReactNode;
  /** Text for screen readers. */
  label: string;
  position?: ChipPosition;
  /** Count, 99+ from 100 on; a dot when missing. */
  count?: number | undefined;
  color?: "accent" | "danger";
  /** Moves the chip onto a circle: inset by 14.6 %. */
  round?: boolean;
}

// Whole class names: the purge finds only literals.
const corners: Record<ChipPosition, string> = {
  "top-right": "at-top-right",
  "bottom-right": "at-bottom-right",
  "top-left": "at-top-left",
  "bottom-left": "at-bottom-left",
};

/** A dot or a count at a corner of an element. */
export function Chip({ children, label, position = "top-right", count, color = "accent", round }: ChipProps) {
  const names = ["chip", corners[position], count !== undefined && "n", color === "danger" && "bad", round && "round"];
  return (
    <span className="chipped">
      {children}
      <span className={names.filter(Boolean).join(" ")}>
        {count !== undefined && <span aria-hidden="true">{count > 99 ? "99+" : count}</span>}
        <span className="sr-only">{label}</span>
      </span>
    </span>
  );
}
