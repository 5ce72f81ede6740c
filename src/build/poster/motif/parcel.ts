import { count, type Draw, fill, line, polygon, sheet } from "../svg.ts";

/** Goods that nobody has drawn yet: a parcel, wrapped in one of four papers. */
export const parcel: Draw = ({ ink, form, ...size }) => {
  const top = polygon([300, 96], [512, 196], [300, 296], [88, 196]);
  const left = polygon([88, 196], [300, 296], [300, 540], [88, 440]);
  const right = polygon([300, 296], [512, 196], [512, 440], [300, 540]);
  const papers = [
    count(9).map((index) => `M${88 + index * 26} ${170 + index * 12}v330`),
    count(9).map((index) => `M60 ${206 + index * 32}l260 123`),
    count(36).map((index) => `M${110 + (index % 6) * 34} ${238 + (index % 6) * 16 + Math.floor(index / 6) * 38}h0`),
    count(7).map((index) => `M88 ${236 + index * 40}l106 0 106 100`),
  ];
  const paper = papers[form % papers.length] ?? [];
  const width = form % papers.length === 2 ? 20 : 12;
  return sheet(
    size,
    ink.sky,
    fill("#000", polygon([88, 440], [300, 540], [560, 540], [512, 440]), ' opacity=".22"') +
      fill(ink.paper, left) +
      `<clipPath id="p"><path d="${left}"/></clipPath><g clip-path="url(#p)">${line(ink.red, width, paper.join(""), ' stroke-linecap="round"')}</g>` +
      fill(ink.red, right) +
      fill(ink.ink, top) +
      fill(ink.paper, polygon([372, 376], [464, 332], [464, 404], [372, 448])) +
      line(ink.ink, 7, "M386 396l64-30M386 416l44-21") +
      line(ink.paper, 12, "M194 146l212 100"),
  );
};
