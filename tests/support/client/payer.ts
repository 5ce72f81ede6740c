import { randomUUID } from "node:crypto";
import * as v from "valibot";
import type { TestServer } from "../processes/test-server.ts";
import type { WechatStub } from "../stubs/wechat/wechat.ts";
import type { TestRequest } from "./client.ts";

const parameters = v.object({
  trade_no: v.string(),
  timeStamp: v.string(),
  nonceStr: v.string(),
  package: v.string(),
  signType: v.literal("RSA"),
  paySign: v.string(),
});

/** Variables of a shop that takes payments by its mini program. */
export const miniProgramEnv = { HOST_ORIGIN: "https://api.shop.test" };

const newOpenid = () => `o${randomUUID().replaceAll("-", "")}`;

/** Creates somebody with WeChat who has opened the mini program with an order's number. */
export function createPayer(server: Pick<TestServer, "request">, wechat: WechatStub, openid = newOpenid()) {
  const call = (path: string, body: object, options: TestRequest = {}) =>
    server.request(`/pay/wechat/${path}`, { method: "POST", locale: "zh-CN", ...options, body });
  const read = (order_sn: string, trade_no?: string, options?: TestRequest) =>
    call("order", { order_sn, ...(trade_no ? { trade_no } : {}) }, options);
  const prepay = (order_sn: string, code = wechat.prepayStub.login(openid), options?: TestRequest) =>
    call("prepay", { order_sn, code }, options);
  /** Pays without a notice, and returns the payment at WeChat and its number. */
  async function pay(order_sn: string) {
    const { trade_no, ...rest } = v.parse(parameters, (await prepay(order_sn)).data);
    return { tradeNo: trade_no, payment: wechat.prepayStub.pay(rest, openid) };
  }
  return { openid, read, prepay, pay, getParameters: (data: unknown) => v.parse(parameters, data) };
}
