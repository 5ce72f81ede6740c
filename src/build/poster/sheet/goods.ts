import { inks } from "../ink.ts";
import type { Sheet } from "./sheet.ts";

type Title = readonly string[];

function titled(
  zh: Title,
  en: Title,
  by: [zh: string, en: string] = ["", ""],
  at: [zh: string, en: string] = ["", ""],
): Sheet["words"] {
  return { "zh-CN": { title: zh, by: by[0], at: at[0] }, "en-US": { title: en, by: by[1], at: at[1] } };
}

const brand: [zh: string, en: string] = ["社交新体验", "New Generation"];
const year: [zh: string, en: string] = ["365 天", "365 days"];

const wrappings: Sheet["palette"][] = [
  {},
  { sky: inks.yellow, paper: inks.white, red: inks.blue },
  { sky: inks.pink, red: inks.green, paper: inks.paper },
];
/** For goods that the host has no picture of: three palettes, four papers. */
const parcels = Array.from({ length: 12 }, (_, index): [string, Sheet] => [
  `g-parcel-${index}`,
  { motif: "parcel", form: index % 4, palette: wrappings[Math.floor(index / 4)] ?? {} },
]);

export const goods: Record<string, Sheet> = {
  "g-vinyl": { motif: "vinyl", words: titled(["入口"], ["ENTRANCE"]) },
  "g-tee": { motif: "tee" },
  "g-tee2": { motif: "tee", palette: { lit: inks.pink, ink: inks.paper } },
  "g-tote": { motif: "tote" },
  "g-tote2": { motif: "tote", palette: { blue: inks.yellow, paper: inks.ink, ink: inks.paper, red: inks.lit } },
  "g-stick": { motif: "stick" },
  "g-stick2": { motif: "stick", palette: { lit: inks.orange, ink: inks.cool } },
  "g-cassette": { motif: "cassette", words: titled(["低频气象"], ["LOW-FREQUENCY WEATHER"]) },
  "g-cassette2": {
    motif: "cassette",
    palette: { orange: inks.blue, sky: inks.yellow, blue: inks.red, slate: inks.paper },
    words: titled(["慢速公路"], ["SLOW HIGHWAY"]),
  },
  "g-print": { motif: "print", words: titled(["回声地图"], ["ECHO MAP"]) },
  "m-a": { motif: "pass", form: 0, words: titled(["听众", "LISTENER"], ["LISTENER"], brand, year) },
  "m-b": { motif: "pass", form: 1, words: titled(["常客", "REGULAR"], ["REGULAR"], brand, year) },
  "m-c": { motif: "pass", form: 2, words: titled(["全通", "ALL ACCESS"], ["ALL ACCESS"], brand, year) },
  ...Object.fromEntries(parcels),
};
