import { catalogue } from "./catalogue.ts";

interface NamedCarrier {
  /** WeChat's id (`delivery_id`), of those that its documents or its staff name: api_uploadshippinginfo, and developers.weixin.qq.com/community 0008a880fe48c8abffc0dd11361800. */
  id: string | null;
  /** The Chinese names that operators type, WeChat's first. */
  names: readonly [string, ...string[]];
  english: string;
}

/** Carriers that English pages name in English; others stand as they are. */
export const namedCarriers: readonly NamedCarrier[] = [
  { id: "SF", names: ["顺丰速运", "顺丰"], english: "SF Express" },
  { id: "YTO", names: ["圆通速递", "圆通"], english: "YTO Express" },
  { id: "ZTO", names: ["中通快递", "中通"], english: "ZTO Express" },
  { id: "STO", names: ["申通快递", "申通"], english: "STO Express" },
  { id: "YD", names: ["韵达速递", "韵达", "韵达快递"], english: "Yunda Express" },
  { id: "JTSD", names: ["极兔速递", "极兔"], english: "J&T Express" },
  { id: null, names: ["京东物流", "京东", "京东快递"], english: "JD Logistics" },
  { id: null, names: ["德邦快递", "德邦", "德邦物流"], english: "Deppon Express" },
  { id: null, names: ["中国邮政", "邮政"], english: "China Post" },
];

/** In place of a carrier where the shop brings an order itself. */
export const carrier = catalogue({ "zh-CN": { own: "本店配送" }, "en-US": { own: "Our own courier" } });
