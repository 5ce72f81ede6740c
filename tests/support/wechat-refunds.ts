import { randomInt } from "node:crypto";

export type RefundStatus = "SUCCESS" | "PROCESSING" | "ABNORMAL" | "CLOSED";

interface Refund {
  refund_id: string;
  out_refund_no: string;
  out_trade_no: string;
  status: RefundStatus;
  amount: { refund: number; total: number; currency: string };
  notify_url: string | undefined;
}

interface Reply {
  status: number;
  data: object;
}

const refuse = (status: number, code: string): Reply => ({ status, data: { code, message: code } });

/** Refunds as WeChat Pay keeps them: the same number twice is one refund, and no more is given back than was paid. */
export function refundBook(totalOf: (orderSn: string) => number | undefined) {
  const refunds = new Map<string, Refund>();
  const mood: { status: RefundStatus; refusal: [status: number, code: string] | null } = {
    status: "PROCESSING",
    refusal: null,
  };
  const seen = { sent: [] as string[], asked: [] as string[] };

  const shown = ({ notify_url: _, ...refund }: Refund) => ({
    ...refund,
    ...{
      transaction_id: "4200",
      channel: "ORIGINAL",
      user_received_account: "支付用户零钱",
      create_time: "2026-01-02T10:34:56+08:00",
    },
  });

  /** `POST /v3/refund/domestic/refunds` */
  function create(body: string): Reply {
    const { out_trade_no, out_refund_no, amount, notify_url } = JSON.parse(body);
    seen.sent.push(out_refund_no);
    if (mood.refusal) return refuse(...mood.refusal);
    const known = refunds.get(out_refund_no);
    if (known) return { status: 200, data: shown(known) };
    const total = totalOf(out_trade_no);
    if (total === undefined) return refuse(404, "RESOURCE_NOT_EXISTS");
    const open = [...refunds.values()].filter((one) => one.out_trade_no === out_trade_no && one.status !== "CLOSED");
    const given = open.reduce((sum, one) => sum + one.amount.refund, 0);
    if (amount.total !== total || given + amount.refund > total) return refuse(400, "INVALID_REQUEST");
    const refund_id = `503${String(randomInt(1_000_000_000)).padStart(9, "0")}`;
    const refund: Refund = { refund_id, out_refund_no, out_trade_no, status: mood.status, amount, notify_url };
    refunds.set(out_refund_no, refund);
    return { status: 200, data: shown(refund) };
  }

  /** `GET /v3/refund/domestic/refunds/{out_refund_no}` */
  function find(refundNo: string): Reply {
    seen.asked.push(refundNo);
    const known = refunds.get(refundNo);
    return known ? { status: 200, data: shown(known) } : refuse(404, "RESOURCE_NOT_EXISTS");
  }

  /** What later becomes of a refund; returns what a notice of it holds. */
  function become(refundNo: string, status: RefundStatus, mchid: string): object {
    const refund = refunds.get(refundNo);
    if (!refund) throw new Error(`there is no refund ${refundNo}`);
    refund.status = status;
    const { status: refund_status, ...rest } = shown(refund);
    return { mchid, ...rest, refund_status };
  }

  return { refunds, mood, seen, create, find, become };
}
