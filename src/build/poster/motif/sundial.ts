import { circle, count, type Draw, line, round, sheet } from "../svg.ts";
import { set, small } from "../type.ts";

/** A microphone stands in the sun, and its shadow says two o'clock. */
export const sundial: Draw = ({ ink, words, chinese, ...size }) => {
  const [x, y, radius] = [300, 330, 268];
  const at = (far: number, turn: number) => [round(x + far * Math.sin(turn)), round(y - far * Math.cos(turn))];
  const ticks = count(60).map((minute) => {
    const turn = (minute * Math.PI) / 30;
    return `M${at(minute % 5 ? 246 : 222, turn).join(" ")}L${at(radius - 8, turn).join(" ")}`;
  });
  const two = Math.PI / 3;
  const [shadowX, shadowY] = at(300, two);
  const art =
    circle(x, y, radius, ink.paper) +
    line(ink.ink, 5, ticks.join("")) +
    `<g stroke="${ink.ink}" stroke-linecap="round"><path stroke-width="17" d="M${x} ${y}L${at(236, two).join(" ")}"/>` +
    `<path stroke-width="78" d="M${at(258, two).join(" ")}L${shadowX} ${shadowY}"/></g>` +
    circle(x, y, 26, ink.ink) +
    line(ink.red, 14, `M${x} ${y}V${y - 196}`) +
    circle(x, y - 226, 48, ink.red) +
    line(ink.paper, 4, `M${x - 46} ${y - 238}h92M${x - 46} ${y - 218}h92M${x - 34} ${y - 258}h68`) +
    circle(x, y, 11, ink.red);
  const [title = ""] = words?.title ?? [];
  const head = chinese
    ? set("sans", title, 18, 780, { size: 164, fill: ink.ink, track: -12 })
    : set("condensed", title, 22, 778, { size: 150, fill: ink.ink, most: 360 });
  const foot =
    set("condensed", words?.date ?? "", 578, 778, { size: 78, fill: ink.ink, anchor: "end" }) +
    small(words?.at, 578, 706, { fill: ink.ink, size: 20, anchor: "end", most: 200 });
  return sheet(size, ink.pink, art + head + foot);
};
