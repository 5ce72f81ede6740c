import type { Sheet } from "./sheet.ts";

type Side = readonly [title: readonly string[], by?: string, at?: string];

/** The words of an event: its day once, the rest in Chinese and in English. */
function words(date: string, [zh, zhBy, zhAt]: Side, [en, enBy, enAt]: Side): Sheet["words"] {
  return { "zh-CN": { title: zh, date, by: zhBy, at: zhAt }, "en-US": { title: en, date, by: enBy, at: enAt } };
}

export const events: Record<string, Sheet> = {
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
