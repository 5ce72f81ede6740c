import { hash, randomUUID } from "node:crypto";
import type { Refund } from "./refunds.ts";

interface Payment {
  appid: string;
  mchid: string;
  out_trade_no: string;
  transaction_id: string;
  success_time: string;
  amount: { total: number };
}

const columns =
  "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注";
const sums = "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额";

const yuan = (fen: number) => (fen / 100).toFixed(2);
const toLine = (values: (string | number)[]) => values.map((value) => `\`${value}`).join(",");

/** Formats a payment, or a refund of it, as a line of the bill of kind ALL. */
function formatLine({ appid, mchid, ...payment }: Payment, refund?: Refund): string {
  const time = (refund?.create_time ?? payment.success_time).slice(0, 19).replace("T", " ");
  const paid = refund ? 0 : payment.amount.total;
  return toLine([
    ...[time, appid, mchid, 0, "", payment.transaction_id, payment.out_trade_no, "oUpF8uMuAJO", "JSAPI"],
    ...[refund ? "REFUND" : "SUCCESS", "OTHERS", "CNY", yuan(paid), "0.00"],
    ...[refund?.refund_id ?? 0, refund?.out_refund_no ?? 0, yuan(refund?.amount.refund ?? 0), "0.00"],
    ...[refund ? "ORIGINAL" : "", refund?.status ?? "", "帆布袋, 黑", "", "0.00000", "0.60%"],
    ...[yuan(paid), yuan(refund?.amount.refund ?? 0), ""],
  ]);
}

/** Creates a stub of WeChat Pay's daily bills: announced with a hash in a signed response, downloaded without a signature. */
export function createBillStub(payments: Map<string, Payment>, refunds: Map<string, Refund>) {
  const files = new Map<string, string>();
  const behaviour = {
    /** WeChat Pay's error code instead of a bill. */
    refusal: null as string | null,
    /** Changes a bill after its hash was taken. */
    forge: (text: string) => text,
    /** Changes a bill with its hash. */
    write: (text: string) => text,
  };
  const requests = { days: [] as string[] };

  function writeBill(day: string): string | null {
    const paid = [...payments.values()].filter(({ success_time }) => success_time.startsWith(day));
    const refunded = [...refunds.values()].filter(({ create_time }) => create_time.startsWith(day));
    const lines = [
      ...paid.map((payment) => formatLine(payment)),
      ...refunded.flatMap((refund) => {
        const payment = payments.get(refund.out_trade_no);
        return payment ? [formatLine(payment, refund)] : [];
      }),
    ];
    const total = yuan(paid.reduce((sum, { amount }) => sum + amount.total, 0));
    const totals = toLine([lines.length, total, "0.00", "0.00", "0.00000", total, "0.00"]);
    return lines.length > 0 ? `\u{feff}${[columns, ...lines, sums, totals].join("\r\n")}\r\n` : null;
  }

  /** `GET /v3/bill/tradebill` */
  function announce(query: URLSearchParams, origin: string) {
    const day = query.get("bill_date") ?? "";
    requests.days.push(day);
    const text = writeBill(day);
    const refusal = behaviour.refusal ?? (text === null || query.get("bill_type") !== "ALL" ? "NO_STATEMENT_EXIST" : null);
    if (refusal || text === null) return { status: 400, data: { code: refusal, message: refusal } };
    const file = behaviour.write(text);
    const token = randomUUID();
    files.set(token, behaviour.forge(file));
    const hash_value = hash("sha1", file);
    const download_url = `${origin}/v3/billdownload/file?token=${token}`;
    return { status: 200, data: { download_url, hash_type: "SHA1", hash_value } };
  }

  /** `GET /v3/billdownload/file` */
  const download = (query: URLSearchParams) => files.get(query.get("token") ?? "") ?? "";

  return { behaviour, requests, announce, download };
}
