import type { ReactElement } from "react";
import type { Elements } from "./elements.ts";

type ChipCorner = "top-right" | "bottom-right" | "top-left" | "bottom-left";

const corners: Record<ChipCorner, string> = {
  "top-right": "top-(--at) right-(--at) [translate:50%_-50%]",
  "bottom-right": "right-(--at) bottom-(--at) [translate:50%_50%]",
  "top-left": "top-(--at) left-(--at) [translate:-50%_-50%]",
  "bottom-left": "bottom-(--at) left-(--at) [translate:-50%_50%]",
};

const colors = { accent: "bg-accent text-on-accent", danger: "bg-danger text-on-danger" };

interface ChipProps {
  /** Element under the chip. */
  children: Elements;
  /** Text for screen readers. */
  label: string;
  corner?: ChipCorner;
  /** Count, 99+ from 100 on; a dot when missing. */
  count?: number | undefined;
  /** Stands in a dot that has no count. */
  mark?: ReactElement;
  color?: keyof typeof colors;
  /** Moves the chip onto a circle: (1 - 1 / √2) / 2 of its size from the corner. */
  round?: boolean;
  /** Of the size that stands out on a large avatar. */
  large?: boolean;
}

/** A dot or a count at a corner of an element. */
export function Chip({ children, label, corner = "top-right", count, mark, color = "accent", round, large }: ChipProps) {
  const hasCount = count !== undefined;
  return (
    <span className="relative inline-grid">
      {children}
      <span
        className={[
          "chip absolute grid place-items-center rounded-full text-[0.625rem] leading-none font-bold font-display",
          hasCount ? "h-4.5 min-w-4.5 px-1" : large ? "size-5" : "size-3",
          large ? "[box-shadow:0_0_0_3px_var(--surface)]" : "[box-shadow:0_0_0_2px_var(--bg)]",
          round ? "[--at:14.6%]" : "[--at:0%]",
          corners[corner],
          colors[color],
        ].join(" ")}
      >
        {hasCount && (
          <span aria-hidden="true" translate="no">
            {count > 99 ? "99+" : count}
          </span>
        )}
        {mark}
        <span className="sr-only">{label}</span>
      </span>
    </span>
  );
}
