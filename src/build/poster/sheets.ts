import type { Locale } from "../../../i18n/locale.ts";
import type { MotifName } from "./motifs.ts";
import type { Words } from "./svg.ts";
import { type Inks, inks } from "./svg.ts";

/** One sheet of the press. */
export interface Sheet {
  motif: MotifName;
  /** Other inks than the motif's own. */
  palette?: Partial<Inks>;
  /** Which of its forms, for motifs that have several. */
  form?: number;
  /** What the chance in it hangs on; the sheet's name when not said. */
  seed?: string;
  /** Absent: drawn without type, as for a crop. */
  words?: Record<Locale, Words>;
}

type Side = readonly [title: readonly string[], by?: string, at?: string];

/** The words of an event: its day once, the rest in Chinese and in English. */
function words(date: string, [zh, zhBy, zhAt]: Side, [en, enBy, enAt]: Side): Sheet["words"] {
  return { "zh-CN": { title: zh, date, by: zhBy, at: zhAt }, "en-US": { title: en, date, by: enBy, at: enAt } };
}

const events: Record<string, Sheet> = {
  "e-entrance": {
    motif: "doorway",
    words: words(
      "03.20",
      [["入口"], "白噪合唱团", "上海 西岸一号仓"],
      [["ENTRANCE"], "White Noise Choir", "West Bund Depot 1"],
    ),
  },
  "e-entrance-art": { motif: "doorway" },
  "e-echo": { motif: "moire", words: words("04.03", [["回声地图"]], [["ECHO MAP"], "", "FERRY RADIO"]) },
  "e-low": {
    motif: "wind",
    words: words(
      "04.17",
      [["低频气象"], "气象局乐队", "平面剧场"],
      [["LOW-FREQUENCY", "WEATHER"], "Weather Bureau", "Flat Theatre"],
    ),
  },
  "e-slow": {
    motif: "road",
    words: words(
      "05.01",
      [["慢速", "公路"], "慢车站", "广州 江岸车间"],
      [["SLOW", "HIGHWAY"], "Slow Train Stop", "Riverside Works"],
    ),
  },
  "e-midnight": { motif: "spectro", words: words("05.16", [["零点播音"]], [["MIDNIGHT", "BROADCAST"]]) },
  "e-glass": {
    motif: "arcs",
    words: words("06.05", [["玻璃", "合唱"], "玻璃体", "运河音乐厅"], [["GLASS", "CHOIR"], "Vitreous", "Canal Concert Hall"]),
  },
  "e-spring": { motif: "spring", words: words("3.05-4.05", [["春天开门"]], [["SPRING OPENS"]]) },
  "e-spring-art": { motif: "spring", seed: "e-spring" },
  "e-night": {
    motif: "night",
    words: words(
      "12.21",
      [["最长的夜"], "三支乐队，一夜", "武汉 三号船坞"],
      [["THE LONGEST NIGHT"], "Three bands, one night", "Dock 3, Wuhan"],
    ),
  },
  "e-last": { motif: "train", words: words("05.30", [["末班车"], "慢车站"], [["LAST TRAIN"], "Slow Train Stop"]) },
  "e-ferry": { motif: "ferry", words: words("08.28", [["夜航"], "渡口电台"], [["NIGHT FERRY"], "Ferry Radio"]) },
  "e-matinee": {
    motif: "sundial",
    words: words("09.19", [["日场"], "", "白噪合唱团"], [["MATINEE"], "", "White Noise Choir"]),
  },
  "e-rehearsal": {
    motif: "marks",
    words: words("10.11", [["彩排日"], "白噪合唱团"], [["REHEARSAL DAY"], "White Noise Choir"]),
  },
  "e-frost": { motif: "frost", words: words("10.23", [["霜降"], "气象局乐队"], [["FIRST FROST"], "Weather Bureau"]) },
};

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

const goods: Record<string, Sheet> = {
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

/** News sheets carry no title: the headline stands beside them, in the reader's language. */
const news: Record<string, Sheet> = {
  "n-crowd": { motif: "crowd" },
  "n-console": { motif: "desk", seed: "n-7" },
  "n-grooves": { motif: "grooves" },
  "n-count": { motif: "tally" },
  "n-doors": { motif: "doors" },
  "n-sign": { motif: "sign" },
  "n-wake": { motif: "wake" },
  "n-barograph": { motif: "barograph" },
  "n-rosette": { motif: "rosette" },
  "n-spiral": { motif: "spiral" },
  "n-reels": { motif: "reels" },
  "n-noon": { motif: "noon" },
  "n-facade": { motif: "facade" },
  "n-glasses": { motif: "glasses" },
  "n-marks": { motif: "marks" },
  "n-ajar": { motif: "ajar" },
};

/** Everything that is printed, by name: `e-` events, `n-` news, `g-` goods, `m-` passes. */
export const sheets: Record<string, Sheet> = { ...events, ...news, ...goods };
