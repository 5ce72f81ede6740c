import { randomUUID } from "node:crypto";

export const appid = "wx0123456789abcdef";
export const secret = "secret-of-the-mini-program";
export const mchid = "1900000001";

export type Transaction = ReturnType<typeof transaction>;

/** Returns a payment in WeChat Pay's format. */
export function transaction(orderSn: string, payFen: number, changes: object = {}) {
  return {
    appid,
    mchid,
    out_trade_no: orderSn,
    transaction_id: `4200${randomUUID().replaceAll("-", "").slice(0, 24)}`,
    trade_type: "JSAPI",
    trade_state: "SUCCESS",
    trade_state_desc: "支付成功",
    bank_type: "OTHERS",
    success_time: "2026-01-02T10:34:56+08:00",
    payer: { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" },
    amount: { total: payFen, payer_total: payFen, currency: "CNY", payer_currency: "CNY" },
    ...changes,
  };
}
