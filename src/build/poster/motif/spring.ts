import { count, type Draw, fill, rect, repeat, round, sheet } from "../svg.ts";
import { set } from "../type.ts";

/** The word for spring on two door leaves; behind them it already flowers. */
export const spring: Draw = ({ rand, ink, words, chinese, ...size }) => {
  const petal = ((2 * Math.PI * 10) / 5).toFixed(2);
  const kinds = [ink.red, ink.white, ink.pink, ink.orange].map(
    (color, index) =>
      `<g id="f${index}"><circle r="10" stroke="${color}" stroke-width="15" stroke-dasharray="0 ${petal}"/>` +
      `<circle r="4.5" fill="${index === 3 ? ink.green : ink.yellow}"/></g>`,
  );
  const flowers = repeat(26, (index) => {
    const at = `${round(206 + rand() * 188)} ${round(90 + index * 21.5)}`;
    const grown = (0.3 + index * 0.036 + rand() * 0.2).toFixed(2);
    return `<use href="#f${index % 4}" transform="translate(${at})rotate(${round(rand() * 72)})scale(${grown})"/>`;
  });
  const stems = count(16).map((index) => {
    const [bend, lean] = [round(rand() * 16 - 8), round(rand() * 10 - 5)];
    return `M${206 + index * 13} 660q${bend}-${round(60 + rand() * 60)} ${lean}-${round(120 + rand() * 260)}`;
  });
  const gap = rect(190, 20, 220, 640);
  const leaf = (half: string, place: string, knob: number) =>
    `<g transform="${place}"><g clip-path="url(#${half})">${fill(ink.green, rect(0, 0, 600, 620))}<use href="#c"/></g>` +
    `<circle cx="${knob}" cy="330" r="9" fill="${ink.yellow}"/></g>`;
  const art = [
    `<defs><g id="c">${set("serif", "春", 12, 516, { size: 576, fill: ink.pink })}</g>${kinds.join("")}`,
    `<clipPath id="a"><path d="M0 0h300v620H0z"/></clipPath><clipPath id="b"><path d="M300 0h300v620H300z"/></clipPath>`,
    `<clipPath id="d"><path d="${gap}"/></clipPath></defs>`,
    fill(ink.yellow, gap),
    `<g clip-path="url(#d)" fill="none" stroke-linecap="round"><path stroke="${ink.green}" stroke-width="3" d="${stems.join("")}"/>${flowers}</g>`,
    leaf("a", "translate(0 20)skewY(9)scale(.68 1)", 280),
    leaf("b", "translate(192 108)skewY(-9)scale(.68 1)", 320),
  ].join("");
  if (!words) return sheet(size, ink.pink, art);
  const [title = ""] = words.title;
  const head = chinese
    ? set("serif", title, 22, 766, { size: 88, fill: ink.ink, track: -6 })
    : set("condensed", title, 22, 768, { size: 92, fill: ink.ink, most: 350 });
  const date = set("condensed", words.date ?? "", 578, chinese ? 764 : 768, { size: 52, fill: ink.ink, anchor: "end" });
  return sheet(size, ink.pink, art + fill(ink.pink, rect(0, 676, 600, 124)) + head + date);
};
