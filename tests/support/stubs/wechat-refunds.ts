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

/** Creates a stub of WeChat Pay's refunds: a repeated number is one refund, and refunds never exceed the payment. */
export function createRefundStub(getTotal: (orderSn: string) => number | undefined) {
  const refunds = new Map<string, Refund>();
  const behaviour: { status: RefundStatus; refusal: [status: number, code: string] | null } = {
    status: "PROCESSING",
    refusal: null,
  };
  const requests = { creations: [] as string[], queries: [] as string[] };

  const toResponse = ({ notify_url: _, ...refund }: Refund) => ({
    ...refund,
    transaction_id: "4200",
    channel: "ORIGINAL",
    user_received_account: "支付用户零钱",
    create_time: "2026-01-02T10:34:56+08:00",
  });

  /** `POST /v3/refund/domestic/refunds` */
  function create(body: string): Reply {
    const { out_trade_no, out_refund_no, amount, notify_url } = JSON.parse(body);
    requests.creations.push(out_refund_no);
    if (behaviour.refusal) return refuse(...behaviour.refusal);
    const existing = refunds.get(out_refund_no);
    if (existing) return { status: 200, data: toResponse(existing) };
    const total = getTotal(out_trade_no);
    if (total === undefined) return refuse(404, "RESOURCE_NOT_EXISTS");
    const open = [...refunds.values()].filter((one) => one.out_trade_no === out_trade_no && one.status !== "CLOSED");
    const refunded = open.reduce((sum, one) => sum + one.amount.refund, 0);
    if (amount.total !== total || refunded + amount.refund > total) return refuse(400, "INVALID_REQUEST");
    const refund_id = `503${String(randomInt(1_000_000_000)).padStart(9, "0")}`;
    const refund: Refund = { refund_id, out_refund_no, out_trade_no, status: behaviour.status, amount, notify_url };
    refunds.set(out_refund_no, refund);
    return { status: 200, data: toResponse(refund) };
  }

  /** `GET /v3/refund/domestic/refunds/{out_refund_no}` */
  function find(refundNo: string): Reply {
    requests.queries.push(refundNo);
    const existing = refunds.get(refundNo);
    return existing ? { status: 200, data: toResponse(existing) } : refuse(404, "RESOURCE_NOT_EXISTS");
  }

  /** Changes the status of a refund and returns the content of its notice. */
  function changeStatus(refundNo: string, status: RefundStatus, mchid: string): object {
    const refund = refunds.get(refundNo);
    if (!refund) throw new Error(`there is no refund ${refundNo}`);
    refund.status = status;
    const { status: refund_status, ...rest } = toResponse(refund);
    return { mchid, ...rest, refund_status };
  }

  return { refunds, behaviour, requests, create, find, changeStatus };
}
