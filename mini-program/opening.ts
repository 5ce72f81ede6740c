/** How the page was opened: by a code, with `scene` as WeChat encodes it (`sn%3DM26…`), by a link with `sn`, or by WeChat's message of a parcel, which adds `merchant_trade_no`. */
export type Opening = Record<string, string | undefined>;

/** An order, and the number of the payment where it was made by another than the first payer. */
export interface Target {
  orderSn: string;
  tradeNo: string | undefined;
}

const number = /^([0-9A-Za-z]{1,32})(-\d{1,2})?$/;

/** Returns what the page was opened with, null without a number. WeChat does not say whether the query of a link arrives decoded. */
export function parseTarget({ scene = "", ...query }: Opening): Target | null {
  const link = Object.keys(query).map((name) => (query[name] ? `${name}=${query[name]}` : name));
  const value = /(?:^|&)(?:sn|merchant_trade_no)=([^&]*)/.exec(decode([...link, scene].join("&")))?.[1] ?? "";
  const [, orderSn, suffix] = number.exec(value) ?? [];
  return orderSn === undefined ? null : { orderSn, tradeNo: suffix && value };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
