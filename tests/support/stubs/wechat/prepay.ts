import { randomUUID } from "node:crypto";
import { Formatter, Rsa } from "wechatpay-axios-plugin";
import type { PaymentParameters } from "#server/lib/payment-provider.ts";
import type { Reply } from "./refunds.ts";
import { appid, mchid, secret, type Transaction, transaction } from "./transaction.ts";

interface Order {
  appid: string;
  mchid: string;
  description: string;
  out_trade_no: string;
  time_expire: string;
  notify_url: string;
  amount: { total: number; currency: string };
  payer: { openid: string };
}

interface Account {
  /** Verifies what the merchant has signed, as PEM. */
  merchantKey: string;
  now: () => number;
  /** Payments by `out_trade_no`. */
  payments: Map<string, Transaction>;
  openPayments: Map<string, "NOTPAY" | "CLOSED">;
}

const refuse = (status: number, code: string, message = code): Reply => ({ status, data: { code, message } });

/**
 * Creates a stub of login codes (jscode2session), of JSAPI orders and of the cashier that `wx.requestPayment` opens. A number belongs to the first order's
 * parameters, and is lost once it was closed, even before there was an order (pay.weixin.qq.com/doc/v3/merchant/4012791897).
 */
export function createPrepayStub({ merchantKey, now, payments, openPayments }: Account) {
  const logins = new Map<string, string>();
  const usedCodes = new Set<string>();
  const orders = new Map<string, Order>();
  const prepayIds = new Map<string, string>();
  const requests = { logins: [] as string[], orders: [] as Order[] };

  /** Returns a code of `wx.login`, which is valid once. */
  function login(openid: string): string {
    const code = randomUUID().replaceAll("-", "");
    logins.set(code, openid);
    return code;
  }

  /** `GET /sns/jscode2session` */
  function findSession(query: URLSearchParams): object {
    const code = query.get("js_code") ?? "";
    requests.logins.push(code);
    if (query.get("appid") !== appid) return { errcode: 40013, errmsg: "invalid appid" };
    if (query.get("secret") !== secret) return { errcode: 40125, errmsg: "invalid appsecret" };
    if (query.get("grant_type") !== "authorization_code") return { errcode: 40002, errmsg: "invalid grant_type" };
    const openid = logins.get(code);
    if (usedCodes.has(code)) return { errcode: 40163, errmsg: "code been used" };
    if (!openid) return { errcode: 40029, errmsg: "invalid code" };
    usedCodes.add(code);
    return { openid, session_key: "HyVFkGl5F5OQWJZZaNzBBg==" };
  }

  /** `POST /v3/pay/transactions/jsapi` */
  function create(body: string): Reply {
    const order: Order = JSON.parse(body);
    requests.orders.push(order);
    const { out_trade_no, time_expire, notify_url, description, amount, payer } = order;
    const isValid =
      order.mchid === mchid &&
      /^[\w-]{6,32}$/.test(out_trade_no) &&
      [...description].length <= 127 &&
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/.test(time_expire) &&
      /^https:\/\/[^?]{1,247}$/.test(notify_url) &&
      Number.isInteger(amount.total) &&
      amount.total > 0 &&
      amount.currency === "CNY" &&
      typeof payer.openid === "string";
    if (!isValid) return refuse(400, "PARAM_ERROR");
    if (order.appid !== appid) return refuse(400, "APPID_MCHID_NOT_MATCH");
    if (payments.has(out_trade_no)) return refuse(400, "ORDERPAID");
    const first = orders.get(out_trade_no);
    const isClosed = openPayments.get(out_trade_no) === "CLOSED";
    if (isClosed && first) return refuse(400, "ORDER_CLOSED");
    if (isClosed) return refuse(400, "INVALID_REQUEST", "请求重入时，参数与首次请求时不一致");
    if (first && JSON.stringify(first) !== JSON.stringify(order)) return refuse(403, "OUT_TRADE_NO_USED");
    orders.set(out_trade_no, order);
    openPayments.set(out_trade_no, "NOTPAY");
    const prepayId = `wx${randomUUID().replaceAll("-", "")}`;
    prepayIds.set(prepayId, out_trade_no);
    return { status: 200, data: { prepay_id: prepayId } };
  }

  /** Pays as somebody does whose `wx.requestPayment` got these parameters, and returns the payment. Throws where WeChat's cashier refuses. */
  function pay(parameters: PaymentParameters, openid: string): Transaction {
    const { timeStamp, nonceStr, package: parameter, paySign, signType } = parameters;
    const text = Formatter.joinedByLineFeed(appid, timeStamp, nonceStr, parameter);
    if (signType !== "RSA" || !Rsa.verify(text, paySign, merchantKey)) throw new Error("支付验证签名失败");
    const tradeNo = prepayIds.get(parameter.replace(/^prepay_id=/, "")) ?? "";
    const order = orders.get(tradeNo);
    if (!order) throw new Error("there is no such prepay_id");
    if (order.payer.openid !== openid) throw new Error("下单账号与支付账号不一致");
    if (payments.has(tradeNo)) throw new Error("该订单已支付");
    if (openPayments.get(tradeNo) === "CLOSED") throw new Error("该订单已关闭");
    if (now() > Date.parse(order.time_expire)) throw new Error("该订单已失效");
    const payment = transaction(tradeNo, order.amount.total, { payer: { openid } });
    payments.set(tradeNo, payment);
    return payment;
  }

  return { login, findSession, create, pay, requests, orders };
}
