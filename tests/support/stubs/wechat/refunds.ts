import { randomInt } from "node:crypto";
import { formatTime } from "#server/lib/china-time.ts";

export type RefundStatus = "SUCCESS" | "PROCESSING" | "ABNORMAL" | "CLOSED";

export interface Refund {
  refund_id: string;
  out_refund_no: string;
  out_trade_no: string;
  transaction_id: string;
  create_time: string;
  user_received_account: string;
  status: RefundStatus;
  amount: { refund: number; total: number; currency: string };
  notify_url: string | undefined;
}

interface Payment {
  transaction_id: string;
  amount: { total: number };
}

export interface Reply {
  status: number;
  data: object;
}

const refuse = (status: number, code: string): Reply => ({ status, data: { code, message: code } });

/** Formats a time in China as WeChat Pay does. */
export const toChinaTime = (ms: number) => formatTime(new Date(ms));

/** Creates a stub of WeChat Pay's refunds: a repeated number is one refund, and refunds never exceed the payment. */
export function createRefundStub(getPayment: (orderSn: string) => Payment | undefined, now: () => number) {
  const refunds = new Map<string, Refund>();
  const behaviour: { status: RefundStatus; refusal: [status: number, code: string] | null } = {
    status: "PROCESSING",
    refusal: null,
  };
  const requests = { creations: [] as string[], queries: [] as string[] };

  const toResponse = ({ notify_url: _, ...refund }: Refund) => ({ ...refund, channel: "ORIGINAL" });
  const findOpen = (orderSn: string) =>
    [...refunds.values()].filter((one) => one.out_trade_no === orderSn && one.status !== "CLOSED");

  function add(orderSn: string, refundNo: string, { status = behaviour.status, notify_url, amount }: Partial<Refund>): Refund {
    const payment = getPayment(orderSn);
    if (!payment || !amount) throw new Error(`there is no payment of ${orderSn}`);
    const refund: Refund = {
      refund_id: `503${String(randomInt(1_000_000_000)).padStart(9, "0")}`,
      out_refund_no: refundNo,
      out_trade_no: orderSn,
      transaction_id: payment.transaction_id,
      create_time: toChinaTime(now()),
      user_received_account: "支付用户零钱",
      status,
      amount,
      notify_url,
    };
    refunds.set(refundNo, refund);
    return refund;
  }

  /** Refunds an order as its operator does in WeChat Pay's console, and returns the refund's number. */
  function refundInConsole(orderSn: string, fen: number, status: RefundStatus = "SUCCESS"): string {
    const refundNo = `10000${randomInt(1_000_000_000, 9_000_000_000)}`;
    const amount = { refund: fen, total: getPayment(orderSn)?.amount.total ?? 0, currency: "CNY" };
    return add(orderSn, refundNo, { status, amount }).out_refund_no;
  }

  /** `POST /v3/refund/domestic/refunds` */
  function create(body: string): Reply {
    const { out_trade_no, out_refund_no, amount, notify_url } = JSON.parse(body);
    requests.creations.push(out_refund_no);
    if (behaviour.refusal) return refuse(...behaviour.refusal);
    const existing = refunds.get(out_refund_no);
    if (existing && existing.amount.refund !== amount.refund) return refuse(400, "INVALID_REQUEST");
    if (existing) return { status: 200, data: toResponse(existing) };
    const total = getPayment(out_trade_no)?.amount.total;
    if (total === undefined) return refuse(404, "RESOURCE_NOT_EXISTS");
    const refunded = findOpen(out_trade_no).reduce((sum, one) => sum + one.amount.refund, 0);
    if (amount.total !== total || refunded + amount.refund > total) return refuse(400, "INVALID_REQUEST");
    return { status: 200, data: toResponse(add(out_trade_no, out_refund_no, { amount, notify_url })) };
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

  /** Returns whether WeChat Pay reports an order as refunded, in part or wholly. */
  const isRefunded = (orderSn: string) => findOpen(orderSn).length > 0;

  const isWhollyRefunded = (orderSn: string) =>
    isRefunded(orderSn) &&
    findOpen(orderSn).reduce((sum, { amount }) => sum + amount.refund, 0) === getPayment(orderSn)?.amount.total;

  return { refunds, behaviour, requests, create, find, changeStatus, refundInConsole, isRefunded, isWhollyRefunded };
}
