import { codes, isEnvelope } from "#src/api/envelope.ts";

export const orderStates = ["payable", "late", "paid", "paid_twice", "closed", "cancelled", "refunded"] as const;

/** What the server tells of an order to whoever has its number: nothing of the member. */
export interface Order {
  order_sn: string;
  title: string;
  /** The variant, "" without one. */
  spec: string;
  quantity: number;
  pay_fen: number;
  state: (typeof orderStates)[number];
  pay_expire_at: string;
  server_time: string;
  /** May be paid on an iPhone or iPad. */
  ios: boolean;
  /** The shop's name. */
  shop: string;
}

/** The parameters of `wx.requestPayment`, and the number of this payment. */
export interface Prepayment {
  trade_no: string;
  timeStamp: string;
  nonceStr: string;
  package: string;
  signType: "RSA";
  paySign: string;
}

export type Failure =
  | { kind: "offline" | "busy" | "unknown" | "login" | "overtaken" }
  /** `retryAfter`: seconds. */
  | { kind: "tooMany"; retryAfter: number };
export type OrderAnswer = { kind: "order"; order: Order } | Failure;
/** An order in the place of a payment: it cannot be paid any more. */
export type PrepayAnswer = { kind: "prepayment"; prepayment: Prepayment } | OrderAnswer;

/** Posts a body to a path of the server. Resolves with the parsed response whatever its status; rejects without one. */
export type Send = (path: string, body: Record<string, string>) => Promise<unknown>;

export interface Calls {
  /** Reads the order; with a `tradeNo`, what has become of that payment too. */
  readOrder(orderSn: string, tradeNo?: string): Promise<OrderAnswer>;
  /** Prepares a payment by whoever the login code is of. A code works once. */
  prepay(orderSn: string, code: string): Promise<PrepayAnswer>;
}

export function createCalls(send: Send): Calls {
  return {
    async readOrder(order_sn, trade_no) {
      const answer = await call(send, "/pay/wechat/order", { order_sn, ...(trade_no && { trade_no }) });
      if ("kind" in answer) return answer;
      if (answer.code === codes.success) return toOrder(answer.data);
      return answer.code === codes.badParameter ? { kind: "unknown" } : toFailure(answer);
    },
    async prepay(order_sn, code) {
      const answer = await call(send, "/pay/wechat/prepay", { order_sn, code });
      if ("kind" in answer) return answer;
      if (answer.code === codes.success)
        return isPrepayment(answer.data) ? { kind: "prepayment", prepayment: answer.data } : { kind: "busy" };
      if (answer.code === codes.badParameter) return { kind: "login" };
      return answer.code === codes.orderClosed || answer.code === codes.orderPaid ? toOrder(answer.data) : toFailure(answer);
    },
  };
}

async function call(send: Send, path: string, body: Record<string, string>) {
  const response = await send(path, body).catch(() => null);
  if (response === null) return { kind: "offline" } as const;
  return isEnvelope(response) ? response : ({ kind: "busy" } as const);
}

function toFailure({ code, data }: { code: number; data: unknown }): Failure {
  if (code === codes.notFound) return { kind: "unknown" };
  if (code === codes.notOnSale) return { kind: "overtaken" };
  return code === codes.tooFrequent ? { kind: "tooMany", retryAfter: getRetryAfter(data) } : { kind: "busy" };
}

const getRetryAfter = (data: unknown) =>
  isObject(data) && typeof data.retry_after === "number" && data.retry_after > 0 ? data.retry_after : 60;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const toOrder = (data: unknown): OrderAnswer => (isOrder(data) ? { kind: "order", order: data } : { kind: "busy" });

function isOrder(data: unknown): data is Order {
  if (!isObject(data)) return false;
  const { order_sn, title, spec, pay_expire_at, server_time, shop, quantity, pay_fen, ios, state } = data;
  return (
    [order_sn, title, spec, pay_expire_at, server_time, shop].every((text) => typeof text === "string") &&
    [quantity, pay_fen].every((count) => typeof count === "number") &&
    typeof ios === "boolean" &&
    orderStates.some((one) => one === state)
  );
}

function isPrepayment(data: unknown): data is Prepayment {
  if (!isObject(data) || data.signType !== "RSA") return false;
  return [data.trade_no, data.timeStamp, data.nonceStr, data.package, data.paySign].every((text) => typeof text === "string");
}
