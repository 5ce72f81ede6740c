/** Labels of pasted texts, by what they stand before. `other` is no part of an address and is kept with its label. */
const labels = {
  name: "收货人姓名|收件人姓名|收货人|收件人|联系人|联络人|姓名|收貨人|聯絡人|聯繫人|recipient|name",
  mobile:
    "收件人手机号?|收货人手机号?|手机号码|电话号码|联系电话|联络电话|联系方式|联系手机|收货电话|收件人电话|手机号|手机|电话|電話號碼|聯絡電話|聯繫電話|手機號碼|手機|電話|mobile|phone|tel",
  address:
    "所在地区|所在省市|收货地区|省市区|省份|城市|区县|地区|详细地址|收货地址|收件地址|收件人地址|邮寄地址|寄送地址|街道地址|门牌号|住址|地址|詳細地址|收貨地址|收件地址|所在地區|address",
  other:
    "寄件人|发件人|邮政编码|邮编|郵編|备注|備註|买家留言|留言|订单编号|订单号|訂單編號|商品|数量|快递|快递单号|买家昵称|昵称|旺旺号?|微信号?|QQ",
};
const kinds = ["name", "mobile", "address", "other"] as const;
export type Kind = (typeof kinds)[number];

/** A label with its colon, with brackets around it, before a blank, or right before what only it can stand before. */
const label = new RegExp(
  `(?<=^|[\\s,，;；、。|/【\\[(（])(?:(${labels.name})|(${labels.mobile})|(${labels.address})|(${labels.other}))` +
    "(?:[】\\])）]\\s*[:：]?|\\s*[:：]|(?=\\s)|(?<=收件人|收货人|联系人)(?=\\p{Script=Han}{2,4}(?:[\\s,，;；]|1[3-9]))|(?<=电话|手机|手机号)(?=\\+?\\d)|(?<=收货地址|详细地址|所在地区)(?=\\p{Script=Han}))\\s*",
  "giu",
);

interface Part {
  kind: Kind;
  value: string;
}

/** Splits a text at its labels. `loose` stands before the first one. */
export function splitAtLabels(text: string): { loose: string; parts: Part[] } {
  const marks = [...text.matchAll(label)];
  const parts = marks.map((mark, index): Part => {
    const kind = kinds[mark.slice(1).findIndex(Boolean)] ?? "address";
    const end = marks[index + 1]?.index ?? text.length;
    return { kind, value: text.slice(kind === "other" ? mark.index : mark.index + mark[0].length, end) };
  });
  return { loose: text.slice(0, marks[0]?.index ?? text.length), parts };
}
