import { type Draw, round, sheet, type Words } from "../svg.ts";
import { set, small } from "../type.ts";

const step = 11.25;

/** A choir as arcs of glass: each voice twice as wide as the one inside it. */
export const arcs: Draw = ({ ink, words, chinese, ...size }) => {
  const voices: [radius: number, width: number, from: number, to: number, color: string][] = [
    [34, 12, -16, 3, ink.ink],
    [52, 14, 2, 20, ink.green],
    [76, 22, -9, 6, ink.green],
    [76, 22, 12, 18, ink.ink],
    [112, 38, -4, 9, ink.lit],
    [112, 38, 12, 17, ink.green],
    [168, 60, -8, 0, ink.green],
    [168, 60, 3, 12, ink.sky],
    [252, 92, -6, 2, ink.lit],
    [252, 92, 7, 15, ink.blue],
    [376, 140, -6, -3, ink.sky],
    [376, 140, -1, 5, ink.green],
    [376, 140, 9, 12, ink.ink],
  ];
  const arc = ([radius, width, from, to, color]: (typeof voices)[number]) => {
    const at = (turn: number) => {
      const angle = (turn * step * Math.PI) / 180;
      return `${round(306 + radius * Math.cos(angle))} ${round(470 + radius * Math.sin(angle))}`;
    };
    const large = (to - from) * step > 180 ? 1 : 0;
    return `<path d="M${at(from)}A${radius} ${radius} 0 ${large} 1 ${at(to)}" stroke="${color}" stroke-width="${width}"/>`;
  };
  const art = `<g fill="none" style="mix-blend-mode:multiply">${voices.map(arc).join("")}</g>`;
  return sheet(size, "#EAF3EF", art + type(words, chinese, ink.ink));
};

function type(words: Words | undefined, chinese: boolean, fill: string): string {
  if (!words) return "";
  const head = words.title.map((text, index) =>
    chinese
      ? set("serif", text, 26, 138 + index * 116, { size: 112, fill })
      : set("condensed", text, 26, 124 + index * 112, { size: 150, fill }),
  );
  const facts = [words.by, `${words.date}  ${words.at}`];
  const print = facts.map((text, index) => small(text, 30, (chinese ? 300 : 276) + index * 28, { size: 20, fill }));
  return [...head, ...print].join("");
}
