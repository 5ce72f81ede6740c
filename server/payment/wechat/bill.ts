import type { Bill } from "#server/lib/payment-provider.ts";
import type { WechatSettings } from "./settings.ts";

/** The values of a line by the names of the header. */
type Row = (...names: string[]) => string;

/**
 * Parses WeChat Pay's trade bill: a header, a line per payment and per refund, each value after a backtick, then a header and a line of sums. A merchant may have
 * several apps: those of others than this shop's are left out. Throws for a line that does not fit the header, and for values of another form.
 */
export function parseBill({ appid }: Pick<WechatSettings, "appid">, text: string): Bill {
  const lines = text.replace(/^\u{feff}/u, "").split(/\r?\n/);
  const names = (lines[0] ?? "").split(",").map((name) => name.replace(/^`/, ""));
  const end = lines.findIndex((line, index) => index > 0 && !line.startsWith("`"));
  if (end === -1 || !lines[end]?.startsWith("总交易单数")) throw new Error("WeChat Pay's bill has no sums");
  const rows = lines.slice(1, end).map((line) => parseLine(names, line));
  const own = rows.filter((row) => row("公众账号ID") === appid);
  const withState = (state: string) => own.filter((row) => row("交易状态") === state);
  return {
    payments: withState("SUCCESS").map((row) => ({
      tradeNo: row("商户订单号"),
      provider: "wechat",
      transactionId: row("微信订单号"),
      // Bills of merchants from before 2018 name it 总金额.
      payFen: parseFen(row("订单金额", "总金额")),
      paidAt: parseTime(row("交易时间")),
    })),
    refunds: withState("REFUND").map((row) => ({
      refundNo: row("商户退款单号"),
      tradeNo: row("商户订单号"),
      transactionId: row("微信订单号"),
      amountFen: parseFen(row("申请退款金额", "退款金额")),
    })),
  };
}

function parseLine(names: string[], line: string): Row {
  // Names of goods may contain commas.
  const values = line.slice(1).split(",`");
  if (values.length !== names.length) throw new Error("a line of WeChat Pay's bill does not fit its header");
  return (...alternatives) => {
    const name = alternatives.find((one) => names.includes(one));
    const value = name && values[names.indexOf(name)];
    if (value === undefined) throw new Error(`WeChat Pay's bill has no column ${alternatives[0]}`);
    return value;
  };
}

function parseFen(yuan: string): number {
  const [, whole, fraction = ""] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(yuan) ?? [];
  if (whole === undefined) throw new Error("a sum of WeChat Pay's bill is no sum");
  return Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
}

/** Parses `2026-11-28 10:34:56`, in China. */
function parseTime(text: string): Date {
  const time = new Date(`${text.replace(" ", "T")}+08:00`);
  if (Number.isNaN(time.getTime())) throw new Error("a time of WeChat Pay's bill is no time");
  return time;
}
