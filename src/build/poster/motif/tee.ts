import { count, type Draw, dot, fill, line, sheet } from "../svg.ts";
import { set } from "../type.ts";

const shirt =
  "M216 92c24 34 144 34 168 0l62 24c34 14 52 36 66 74l42 112-86 34-24-52v248H156V284l-24 52-86-34 42-112c14-38 32-60 66-74z";

/** A tee with 129 dots, one of them somebody. */
export const tee: Draw = ({ ink, ...size }) => {
  const dots = count(129).map((index) => dot(222 + (index % 13) * 13, 232 + Math.floor(index / 13) * 13));
  return sheet(
    size,
    ink.lit,
    fill("#000", "M150 520l330 0 40 34H190z", ' opacity=".3"') +
      fill(ink.ink, shirt) +
      line("#26332D", 5, "M208 96c28 48 156 48 184 0M156 284l4-70M444 284l-4-70") +
      line(ink.lit, 8, dots.join(""), ' stroke-linecap="round"') +
      set("condensed", "12.9W", 220, 446, { fit: 162, fill: ink.lit }),
  );
};
