import type { Localized } from "../schema/column.ts";
import type { goods, StoredPicture, skus } from "../schema/goods.ts";

type Goods = typeof goods.$inferInsert;
type Sku = typeof skus.$inferInsert;

const both = <Value>(zh: Value, en: Value): Localized<Value> => ({ "zh-CN": zh, "en-US": en });

const category = {
  records: both("唱片", "Records"),
  wear: both("衣物", "Wear"),
  show: both("现场", "At the show"),
  print: both("印刷", "Print"),
};

const picture = (name: string, alt: Localized, width = 600, height = 600): StoredPicture => ({
  url: `/posters/${name}.svg`,
  width,
  height,
  alt,
});

interface Texts {
  title: Localized;
  summary: Localized;
  detail: Localized<string[]>;
}

function item(uid: string, poster: string, texts: Texts, rest: Pick<Goods, "category" | "position"> & Partial<Goods>): Goods {
  const plain = { specs: both([], []), listPriceFen: null, limitPerMember: 5, onSale: true, sold: 0 };
  return { uid, ...texts, images: [picture(poster, texts.title)], ...plain, ...rest };
}

/** `values`: one per spec, in Chinese and English. Combinations without a SKU are not sold. */
function sku(goodsUid: string, name: string, payFen: number, stock: number, ...values: [zh: string, en: string][]): Sku {
  const localizedValues = both(
    values.map(([zh]) => zh),
    values.map(([, en]) => en),
  );
  return { uid: name ? `${goodsUid}-${name}` : goodsUid, goodsUid, values: localizedValues, payFen, stock, position: 0 };
}

const sizes = both([{ name: "尺码", values: ["S", "M", "L", "XL"] }], [{ name: "Size", values: ["S", "M", "L", "XL"] }]);
const size = (letter: string): [string, string] => [letter, letter];

export const goodsSeed: Goods[] = [
  item(
    "vinyl",
    "g-vinyl",
    {
      title: both("《入口》双黑胶", "Entrance, double LP"),
      summary: both("180g 重盘，含歌词内页", "180 g, printed inner sleeve"),
      detail: both(
        [
          "白噪合唱团的第一张双黑胶。11 首，48 分钟，压了一千张，每张都有编号。",
          "随附歌词内页、A3 海报和下载码。付款后 3 天内发货。",
        ],
        [
          "The first double LP by White Noise Choir. Eleven songs, 48 minutes, a thousand pressed, each one numbered.",
          "With a lyric sleeve, an A3 poster and a download code. Ships within three days of payment.",
        ],
      ),
    },
    {
      category: category.records,
      position: 1,
      limitPerMember: 2,
      sold: 412,
      images: [
        picture("g-vinyl", both("《入口》双黑胶封套", "Sleeve of Entrance, double LP")),
        picture("n-grooves", both("唱片纹路的特写", "The grooves, close up"), 900, 600),
        picture("e-entrance", both("随附的海报", "The poster that comes with it"), 600, 800),
      ],
      specs: both(
        [
          { name: "版本", values: ["黑色 180g", "入口绿 180g", "签名版"] },
          { name: "海报", values: ["折叠", "卷筒"] },
        ],
        [
          { name: "Edition", values: ["Black 180 g", "Exit green 180 g", "Signed"] },
          { name: "Poster", values: ["Folded", "Rolled"] },
        ],
      ),
    },
  ),
  item(
    "tee",
    "g-tee",
    {
      title: both("12.9W 短袖", "12.9W tee"),
      summary: both("胸前 129 个点，有一个是你", "129 dots. One is you"),
      detail: both(
        ["每个点是一千个加入计划的人。220 克棉，落肩，洗了不缩。", "偏大半码，两码之间选小的。"],
        [
          "Each dot is a thousand people who joined the plan. 220 g cotton, dropped shoulder, does not shrink.",
          "Runs half a size large: between two, take the smaller.",
        ],
      ),
    },
    { category: category.wear, position: 2, specs: sizes, sold: 963 },
  ),
  item(
    "light",
    "g-stick",
    {
      title: both("入口灯", "Entrance light"),
      summary: both("应援灯，蓝牙跟随现场", "Follows the show over Bluetooth"),
      detail: both(
        ["进场后自动连上，灯跟着台上走。没信号的地方，它就是一盏绿灯。"],
        ["Pairs by itself inside and follows the stage. With no signal it is simply a green light."],
      ),
    },
    { category: category.show, position: 3, limitPerMember: 4, sold: 2210 },
  ),
  item(
    "tote",
    "g-tote",
    {
      title: both("歌单帆布袋", "Setlist tote"),
      summary: both("12 安厚帆布", "12 oz canvas"),
      detail: both(
        ["正面是上海站的歌单，背面留白。装得下一张黑胶。"],
        ["The Shanghai setlist on the front, nothing on the back. Holds an LP."],
      ),
    },
    { category: category.wear, position: 4, sold: 518 },
  ),
  item(
    "cassette",
    "g-cassette",
    {
      title: both("《低频气象》磁带", "Low-Frequency Weather, tape"),
      summary: both("附下载码", "With download code"),
      detail: both(
        ["A 面低压，B 面锋面过境。磁带机要自己找。"],
        ["Side A is low pressure, side B the front. Bring your own player."],
      ),
    },
    { category: category.records, position: 5, sold: 187 },
  ),
  item(
    "print",
    "g-print",
    {
      title: both("《回声地图》海报", "Echo Map print"),
      summary: both("A2，双色印刷", "A2, two-colour print"),
      detail: both(
        ["双色孔版印刷，每张的套色都有一点偏，偏得不一样。卷筒寄出。"],
        ["Two-colour risograph. The colours sit slightly off, each sheet in its own way. Sent in a tube."],
      ),
    },
    { category: category.print, position: 6, sold: 301 },
  ),
  item(
    "tote-glow",
    "g-tote2",
    {
      title: both("歌单帆布袋，夜光版", "Setlist tote, glow"),
      summary: both("关灯看一眼", "Look at it with the lights off"),
      detail: both(
        ["夜光油墨印的歌单，在灯下放十分钟，能亮一首安可的时间。"],
        ["The setlist in glow ink. Ten minutes under a lamp buys one encore."],
      ),
    },
    { category: category.wear, position: 7, sold: 96 },
  ),
  item(
    "tee-matinee",
    "g-tee2",
    {
      title: both("129 短袖，日场版", "129 tee, matinee"),
      summary: both("粉底，米白", "Cream on pink"),
      detail: both(["日场只演过一次，衣服只印了这一批。"], ["There was one matinee, and one run of these."]),
    },
    { category: category.wear, position: 8, specs: sizes, listPriceFen: 22_800, sold: 240 },
  ),
  item(
    "light-orange",
    "g-stick2",
    {
      title: both("入口灯，橙", "Entrance light, orange"),
      summary: both("彩排日限定", "Rehearsal edition"),
      detail: both(
        ["彩排那天发给工作人员的颜色，多做了两百支。"],
        ["The crew's colour on rehearsal day. Two hundred were made beyond that."],
      ),
    },
    { category: category.show, position: 9, limitPerMember: 1, sold: 200 },
  ),
  item(
    "cassette-slow",
    "g-cassette2",
    {
      title: both("《慢速公路》磁带", "Slow Highway, tape"),
      summary: both("预售，4 月发货", "Pre-order, ships April"),
      detail: both(["慢车站的第一盘磁带。4 月从广州发出。"], ["The first tape by Slow Train Stop. Leaves Guangzhou in April."]),
    },
    { category: category.records, position: 10, sold: 64 },
  ),
];

const black: [string, string] = ["黑色 180g", "Black 180 g"];
const green: [string, string] = ["入口绿 180g", "Exit green 180 g"];
const signed: [string, string] = ["签名版", "Signed"];
const folded: [string, string] = ["折叠", "Folded"];
const rolled: [string, string] = ["卷筒", "Rolled"];

/** Signed copies come with a folded poster only; one tee size and the orange light are sold out. */
const variants: Sku[] = [
  sku("vinyl", "black-folded", 26_800, 320, black, folded),
  sku("vinyl", "black-rolled", 26_800, 80, black, rolled),
  sku("vinyl", "green-folded", 28_800, 150, green, folded),
  sku("vinyl", "green-rolled", 28_800, 0, green, rolled),
  sku("vinyl", "signed-folded", 36_800, 12, signed, folded),
  sku("tee", "s", 18_800, 60, size("S")),
  sku("tee", "m", 18_800, 0, size("M")),
  sku("tee", "l", 18_800, 85, size("L")),
  sku("tee", "xl", 18_800, 40, size("XL")),
  sku("light", "", 12_800, 900),
  sku("tote", "", 9_800, 240),
  sku("cassette", "", 7_800, 130),
  sku("print", "", 5_800, 75),
  sku("tote-glow", "", 11_800, 33),
  sku("tee-matinee", "s", 19_800, 8, size("S")),
  sku("tee-matinee", "m", 19_800, 14, size("M")),
  sku("tee-matinee", "l", 19_800, 9, size("L")),
  sku("light-orange", "", 13_800, 0),
  sku("cassette-slow", "", 7_800, 300),
];
export const skuSeed: Sku[] = variants.map((variant, position) => ({ ...variant, position }));
