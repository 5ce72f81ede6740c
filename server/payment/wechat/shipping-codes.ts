import type { AnswerKind } from "#server/lib/shipping-service.ts";

interface Code {
  kind: AnswerKind;
  /** What an operator can do, or what it means. */
  advice: string;
}

const code = (kind: AnswerKind, advice: string): Code => ({ kind, advice });

/** Faults of a request that this program does not make. */
const fault = code(
  "refused",
  "the server's request has a fault: report it with this code; meanwhile report the parcel in WeChat's console",
);
const busy = code("unclear", "WeChat is busy; the server looks again");
const quota = code("later", "WeChat takes no more requests for now; the server tries again");
const token = code("later", "WeChat does not accept the server's access token; the server requests another one");
const unauthorized = code(
  "refused",
  "open the management of shipments in the mini program's console (mp.weixin.qq.com, 发货信息管理), then enter --again yes",
);

/**
 * WeChat's error codes of shipping information and of its carriers (developers.weixin.qq.com/miniprogram/dev/server/API/order_shipping), and those of every call
 * that a server may meet.
 */
export const shippingCodes: ReadonlyMap<number, Code> = new Map([
  [-1, busy],
  [10060012, busy],
  [10060019, busy],
  [
    10060001,
    code(
      "unknown",
      "WeChat has no payment of that number in this mini program: it may have been made in the developer tools or a trial version, before the merchant number was authorized, or outside of the mini program; report it in WeChat's console if it is there",
    ),
  ],
  [10060002, code("settled", "the shipment is complete at WeChat")],
  [10060003, code("settled", "WeChat has taken its one correction of this payment")],
  [10060004, code("settled", "the payment is refunded, confirmed or finished at WeChat")],
  [10060013, code("refused", "the payment was made together with others: report it in WeChat's console")],
  [268485253, code("refused", "the payment was made together with others: report it in WeChat's console")],
  // Nothing has changed: WeChat has exactly this already.
  [10060023, code("accepted", "WeChat has it already")],
  [10060025, code("refused", "WeChat does not take this carrier's id: npm run orders -- carriers, then ship again")],
  [10060026, code("refused", "WeChat does not take a number as long as this one: ship again with the right one")],
  [10060031, code("refused", "WeChat says that somebody else has paid: look the payment up in WeChat Pay's console")],
  ...[10060005, 10060006, 10060007, 10060008, 10060009, 10060014, 10060020, 10060024].map((number) => [number, fault] as const),
  ...[268485194, 268485195, 268485196, 268485197, 268485216, 268485224, 268485228].map((number) => [number, fault] as const),
  [268485226, code("refused", "the tracking number is missing: ship again with it")],
  [268485227, code("refused", "the carrier is missing: npm run orders -- carriers, then ship again")],
  // Of announced orders.
  [268546000, fault],
  [268546001, code("refused", "WeChat takes dates from 15 to 330 days after the payment")],
  [268546002, code("settled", "WeChat has no such order that is still to be shipped")],
  [40001, token],
  [40014, token],
  [42001, token],
  [40003, fault],
  [40013, fault],
  [40097, fault],
  [44002, fault],
  [47001, fault],
  [44990, quota],
  [45009, quota],
  [48001, unauthorized],
  [61003, unauthorized],
  [61004, code("refused", "put the address of this server into the IP whitelist, then enter --again yes")],
  [61011, unauthorized],
  [
    40164,
    code("later", "put the address of this server into the IP whitelist of the mini program (mp.weixin.qq.com, 开发管理)"),
  ],
  [40125, code("later", "WECHAT_SECRET is not the mini program's")],
]);
