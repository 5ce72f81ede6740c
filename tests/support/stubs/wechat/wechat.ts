import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Aes, Formatter, Rsa } from "wechatpay-axios-plugin";
import { newFolder } from "../../processes/child-process.ts";
import { createBillStub } from "./bill.ts";
import type { Forgery } from "./forgery.ts";
import { createPayKeys } from "./keys.ts";
import { createPrepayStub } from "./prepay.ts";
import { createRefundStub, type RefundStatus } from "./refunds.ts";
import { createShippingStub } from "./shipping.ts";
import { appid, mchid, secret, type Transaction } from "./transaction.ts";

const apiv3Key = "0123456789abcdef0123456789ABCDEF";
const ordersPath = "/v3/pay/transactions/out-trade-no/";
const refundsPath = "/v3/refund/domestic/refunds";

/** Returns the id of the key that a request names for the signature of the response. */
const getSerial = ({ headers }: IncomingMessage) => headers["wechatpay-serial"]?.toString();

type ApiPath = "token" | "code" | "session";

export type WechatStub = Awaited<ReturnType<typeof startWechat>>;

/** Starts a stub of WeChat and WeChat Pay with its own keys: verifies requests and signs responses. */
export async function startWechat(now: () => number = Date.now) {
  const folder = newFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const keys = createPayKeys(file);
  const payments = new Map<string, Transaction>();
  /** Orders whose payment was started in the mini program, and numbers that were closed before. */
  const openPayments = new Map<string, "NOTPAY" | "CLOSED">();
  const prepayStub = createPrepayStub({
    ...{ now, payments, openPayments },
    merchantKey: String(keys.merchant.publicKey.export({ type: "spki", format: "pem" })),
  });
  const refundStub = createRefundStub((orderSn) => payments.get(orderSn), now);
  const shippingStub = createShippingStub({ payments, isRefunded: (tradeNo) => refundStub.isWhollyRefunded(tradeNo), now });
  const billStub = createBillStub(payments, refundStub.refunds);
  const requests = {
    tokens: 0,
    codes: [] as { scene: string; page?: string }[],
    /** Requests to WeChat Pay, answered or not. */
    attempts: 0,
    queries: [] as string[],
    closings: [] as string[],
    rejections: [] as string[],
    serials: [] as (string | undefined)[],
  };
  /** Errors that the WeChat API returns in place of the next tokens and codes. */
  const apiErrors: { path: ApiPath; errcode: number; errmsg: string }[] = [];
  /** Queries of payments that arrive while there is a `gate` are answered after it, with what was true when they arrived. */
  const behaviour = {
    token: "good",
    hang: false,
    /** Runs when a request arrives, and when its response is about to be sent. What it returns false for is not done, or not sent. */
    intercept: null as ((path: string, phase: "request" | "response") => Promise<boolean>) | null,
    unsigned: false,
    down: false,
    gate: null as Promise<void> | null,
    /** Orders of payments that arrive while there is one are answered after it. */
    prepayGate: null as Promise<void> | null,
    /** In place of the response to an order of a payment, which is made all the same. */
    prepayResponse: null as { status: number; body: string } | null,
    /** How the signatures of responses are forged. */
    forgery: {} as Pick<Forgery, "clock" | "stranger">,
  };

  const stamped = (body: string, signer: string, { clock = 0, serial = signer, stranger = false }: Forgery = {}) => {
    const [timestamp, nonce] = [String(Math.floor((now() + clock) / 1000)), randomBytes(16).toString("hex")];
    const key = String(keys.getPrivateKey(stranger ? null : signer).export({ type: "pkcs8", format: "pem" }));
    const signature = Rsa.sign(Formatter.response(timestamp, nonce, body), key);
    return {
      "wechatpay-timestamp": timestamp,
      "wechatpay-nonce": nonce,
      "wechatpay-signature": signature,
      "wechatpay-serial": serial,
      "wechatpay-signature-type": "WECHATPAY2-SHA256-RSA2048",
    };
  };

  /** Returns a notice of a refund's status. */
  function refundNotice(refundNo: string, status: RefundStatus, changes: object = {}) {
    return notice({ ...refundStub.changeStatus(refundNo, status, mchid), ...changes }, { event: `REFUND.${status}` });
  }

  /** Returns a notice of a payment or a refund, forged by `forgery`. */
  function notice(content: object, forgery: Forgery = {}) {
    const nonce = randomBytes(6).toString("hex");
    const associatedData = forgery.associatedData === undefined ? "transaction" : forgery.associatedData;
    const key = forgery.apiv3Key ?? apiv3Key;
    const ciphertext = Aes.AesGcm.encrypt(JSON.stringify(content), key, nonce, associatedData ?? "");
    const text = JSON.stringify({
      id: randomUUID(),
      create_time: "2026-01-02T10:34:57+08:00",
      resource_type: "encrypt-resource",
      summary: "支付成功",
      event_type: forgery.event ?? "TRANSACTION.SUCCESS",
      resource: forgery.resource ?? {
        original_type: "transaction",
        algorithm: "AEAD_AES_256_GCM",
        associated_data: associatedData,
        ciphertext,
        nonce,
      },
    });
    const headers: Record<string, string> = {
      "content-type": "application/json",
      ...stamped(text, keys.signing.notice(), forgery),
    };
    return { body: forgery.body?.(text) ?? text, headers: forgery.headers?.(headers) ?? headers };
  }

  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { pathname, searchParams } = new URL(request.url ?? "", "http://wechat");
    if (pathname.startsWith("/v3/")) {
      requests.attempts += 1;
      requests.serials.push(getSerial(request));
    }
    if (behaviour.hang) return;
    const { intercept } = behaviour;
    if (intercept && !(await intercept(pathname, "request"))) return response.destroy();
    if (behaviour.down) return response.writeHead(502).end();
    if (pathname === "/cgi-bin/stable_token") return token(response, body);
    if (pathname === "/sns/jscode2session") return session(response, searchParams);
    if (pathname === "/wxa/getwxacodeunlimit") return code(response, searchParams.get("access_token"), body);
    if (pathname.startsWith("/wxa/sec/") || pathname.startsWith("/cgi-bin/express/"))
      return shipping(response, pathname, searchParams.get("access_token"), body);
    if (!pathname.startsWith("/v3/")) return response.writeHead(404).end();
    if (!signedByMerchant(request, body)) {
      requests.rejections.push(pathname);
      return json(response, 401, { code: "SIGN_ERROR" });
    }
    const [last = "", before = ""] = pathname.split("/").reverse();
    if (pathname === "/v3/pay/transactions/jsapi") return prepay(response, body);
    if (pathname.startsWith(ordersPath)) return last === "close" ? close(response, before) : find(request, response, last);
    if (pathname === refundsPath) return sendJson(response, refundStub.create(body));
    if (pathname.startsWith(`${refundsPath}/`)) return sendJson(response, refundStub.find(last));
    if (pathname === "/v3/bill/tradebill") return sendJson(response, billStub.announce(searchParams, origin));
    if (pathname === "/v3/billdownload/file") return response.end(billStub.download(searchParams));
    return response.writeHead(404).end();
  });

  const json = (response: ServerResponse, status: number, data: object) => send(response, status, JSON.stringify(data));
  async function send(response: ServerResponse, status: number, text: string, headers: object = {}) {
    const { intercept } = behaviour;
    const { pathname } = new URL(response.req.url ?? "", "http://wechat");
    if (intercept && !(await intercept(pathname, "response"))) return response.destroy();
    return response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  }
  function sendApiError(response: ServerResponse, path: ApiPath): boolean {
    if (apiErrors[0]?.path !== path) return false;
    const { errcode, errmsg } = apiErrors.shift() ?? { errcode: 0, errmsg: "" };
    json(response, 200, { errcode, errmsg });
    return true;
  }
  function token(response: ServerResponse, body: string) {
    if (sendApiError(response, "token")) return response;
    const payload = JSON.parse(body);
    if (payload.grant_type !== "client_credential" || payload.appid !== appid || payload.secret !== secret) {
      return json(response, 200, { errcode: 40125, errmsg: "invalid appsecret" });
    }
    requests.tokens += 1;
    behaviour.token = `token-${requests.tokens}`;
    return json(response, 200, { access_token: behaviour.token, expires_in: 7200 });
  }
  function code(response: ServerResponse, accessToken: string | null, body: string) {
    if (sendApiError(response, "code")) return response;
    if (accessToken !== behaviour.token) return json(response, 200, { errcode: 42001, errmsg: "access_token expired" });
    const payload = JSON.parse(body);
    if (!/^[\w!#$&'()*+,/:;=?@.~-]{1,32}$/.test(payload.scene))
      return json(response, 200, { errcode: 40169, errmsg: "invalid scene" });
    requests.codes.push(payload);
    return response.writeHead(200, { "content-type": "image/jpeg" }).end(Buffer.from(`code of ${payload.scene}`));
  }
  async function shipping(response: ServerResponse, pathname: string, accessToken: string | null, body: string) {
    // A stable token stays valid while another process requests one.
    const isIssued = behaviour.token.startsWith("token-") && accessToken?.startsWith("token-");
    if (!isIssued) return json(response, 200, { errcode: 42001, errmsg: "access_token expired" });
    const reply = shippingStub.answer(pathname, body);
    await behaviour.gate;
    if (reply === "hang") return response;
    // WeChat does not name the charset of its JSON.
    return send(response, reply?.status ?? 404, reply?.text ?? "");
  }
  function session(response: ServerResponse, query: URLSearchParams) {
    return sendApiError(response, "session") ? response : json(response, 200, prepayStub.findSession(query));
  }
  async function prepay(response: ServerResponse, body: string) {
    const reply = prepayStub.create(body);
    await behaviour.prepayGate;
    if (behaviour.prepayResponse) return sendText(response, behaviour.prepayResponse.status, behaviour.prepayResponse.body);
    return sendJson(response, reply);
  }
  /** Successes are signed; errors are not, as at the real service. */
  function sendJson(response: ServerResponse, { status, data }: { status: number; data: object | null }) {
    return sendText(response, status, data ? JSON.stringify(data) : "");
  }
  function sendText(response: ServerResponse, status: number, text: string) {
    const signer = keys.signing.response(getSerial(response.req));
    const headers = status < 300 && !behaviour.unsigned ? stamped(text, signer, behaviour.forgery) : {};
    return send(response, status, text, headers);
  }
  async function find(request: IncomingMessage, response: ServerResponse, orderSn: string) {
    if (!request.url?.endsWith(`?mchid=${mchid}`)) return sendJson(response, { status: 400, data: { code: "PARAM_ERROR" } });
    requests.queries.push(orderSn);
    const state = openPayments.get(orderSn);
    const payment = payments.get(orderSn) ?? (state && { appid, mchid, out_trade_no: orderSn, trade_state: state });
    const isRefunded = refundStub.isRefunded(orderSn);
    await behaviour.gate;
    if (payment && isRefunded) return sendJson(response, { status: 200, data: { ...payment, trade_state: "REFUND" } });
    if (payment) return sendJson(response, { status: 200, data: payment });
    return sendJson(response, { status: 404, data: { code: "ORDER_NOT_EXIST", message: "订单不存在" } });
  }
  function close(response: ServerResponse, orderSn: string) {
    requests.closings.push(orderSn);
    const code = payments.has(orderSn) ? "ORDERPAID" : openPayments.has(orderSn) ? null : "ORDER_NOT_EXIST";
    if (!payments.has(orderSn)) openPayments.set(orderSn, "CLOSED");
    if (code) return sendJson(response, { status: code === "ORDERPAID" ? 400 : 404, data: { code, message: code } });
    return sendJson(response, { status: 204, data: null });
  }
  function signedByMerchant({ method, url, headers: { authorization = "" } }: IncomingMessage, body: string): boolean {
    const field = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(authorization)?.[1] ?? "";
    const text = Formatter.request(method ?? "", url ?? "", field("timestamp"), field("nonce_str"), body);
    const isGenuine = field("mchid") === mchid && field("serial_no") === keys.payKeys.merchant.id;
    const key = String(keys.merchant.publicKey.export({ type: "spki", format: "pem" }));
    return isGenuine && Rsa.verify(text, field("signature"), key);
  }

  // Without keep-alive no request is lost on a connection that closes while a busy machine sends on it.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const env = {
    PAYMENT: "wechat",
    WECHAT_APPID: appid,
    WECHAT_SECRET: secret,
    WECHAT_MCHID: mchid,
    WECHAT_APIV3_KEY: apiv3Key,
    WECHAT_PAGE: "pages/pay/pay",
    WECHAT_MERCHANT_SERIAL: keys.payKeys.merchant.id,
    WECHAT_MERCHANT_KEY_FILE: keys.merchantKeyFile,
    ...keys.withKeys("publicKey"),
    WECHAT_API_ORIGIN: origin,
    WECHAT_PAY_ORIGIN: origin,
  };
  const end = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  const state = { payments, openPayments, prepayStub, refundStub, billStub, shippingStub, requests, behaviour, apiErrors };
  return { env, origin, ...keys, ...state, notice, refundNotice, file, close: end };
}
