import { createCipheriv, generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign, verify } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { newFolder } from "../processes/child-process.ts";
import { createRefundStub, type RefundStatus } from "./wechat-refunds.ts";

const appid = "wx0123456789abcdef";
const secret = "secret-of-the-mini-program";
const mchid = "1900000001";
const apiv3Key = "0123456789abcdef0123456789ABCDEF";
const payKeyId = "PUB_KEY_ID_0119000000012026";
const ordersPath = "/v3/pay/transactions/out-trade-no/";
const refundsPath = "/v3/refund/domestic/refunds";
const merchantSerial = "5157F09EFDC096DE15EBE81A47057A7232F1B8E1";

const keys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = (key: KeyObject, type: "spki" | "pkcs8") => String(key.export({ type, format: "pem" }));

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

export interface Forgery {
  event?: string;
  /** Clock offset in milliseconds. */
  clock?: number;
  serial?: string;
  apiv3Key?: string;
  /** Signed with an unknown key. */
  stranger?: boolean;
  body?: (text: string) => string;
  headers?: (headers: Record<string, string>) => Record<string, string>;
}

export type WechatStub = Awaited<ReturnType<typeof startWechat>>;

/** Starts a stub of WeChat and WeChat Pay with its own keys: verifies requests and signs responses. */
export async function startWechat(now: () => number = Date.now) {
  const folder = newFolder();
  const [platform, merchant, strangerKeys] = [keys(), keys(), keys()];
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const payments = new Map<string, ReturnType<typeof transaction>>();
  /** Orders whose payment was started in the mini program. */
  const openPayments = new Map<string, "NOTPAY" | "CLOSED">();
  const refundStub = createRefundStub((orderSn) => payments.get(orderSn)?.amount.total);
  const requests = {
    tokens: 0,
    codes: [] as { scene: string; page?: string }[],
    /** Requests to WeChat Pay, answered or not. */
    attempts: 0,
    queries: [] as string[],
    closings: [] as string[],
    rejections: [] as string[],
  };
  /** Queries of payments that arrive while there is a `gate` are answered after it, with what was true when they arrived. */
  const behaviour = { token: "good", hang: false, unsigned: false, down: false, gate: null as Promise<void> | null };

  const stamped = (body: string, { clock = 0, serial = payKeyId, stranger = false }: Forgery = {}) => {
    const timestamp = String(Math.floor((now() + clock) / 1000));
    const nonce = randomBytes(16).toString("hex");
    const key = stranger ? strangerKeys.privateKey : platform.privateKey;
    const signature = sign("sha256", Buffer.from(`${timestamp}\n${nonce}\n${body}\n`), key).toString("base64");
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
    const cipher = createCipheriv("aes-256-gcm", forgery.apiv3Key ?? apiv3Key, nonce);
    cipher.setAAD(Buffer.from("transaction"));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final(), cipher.getAuthTag()]);
    const text = JSON.stringify({
      id: randomUUID(),
      create_time: "2026-01-02T10:34:57+08:00",
      resource_type: "encrypt-resource",
      summary: "支付成功",
      event_type: forgery.event ?? "TRANSACTION.SUCCESS",
      resource: {
        original_type: "transaction",
        algorithm: "AEAD_AES_256_GCM",
        associated_data: "transaction",
        ciphertext: sealed.toString("base64"),
        nonce,
      },
    });
    const headers: Record<string, string> = { "content-type": "application/json", ...stamped(text, forgery) };
    return { body: forgery.body?.(text) ?? text, headers: forgery.headers?.(headers) ?? headers };
  }

  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { pathname, searchParams } = new URL(request.url ?? "", "http://wechat");
    if (pathname.startsWith("/v3/")) requests.attempts += 1;
    if (behaviour.hang) return;
    if (behaviour.down) return response.writeHead(502).end();
    if (pathname === "/cgi-bin/stable_token") return token(response, body);
    if (pathname === "/wxa/getwxacodeunlimit") return code(response, searchParams.get("access_token"), body);
    if (!pathname.startsWith("/v3/")) return response.writeHead(404).end();
    if (!signedByMerchant(request, body)) {
      requests.rejections.push(pathname);
      return json(response, 401, { code: "SIGN_ERROR" });
    }
    const [last = "", before = ""] = pathname.split("/").reverse();
    if (pathname.startsWith(ordersPath)) return last === "close" ? close(response, before) : find(request, response, last);
    if (pathname === refundsPath) return sendJson(response, refundStub.create(body));
    if (pathname.startsWith(`${refundsPath}/`)) return sendJson(response, refundStub.find(last));
    return response.writeHead(404).end();
  });

  const json = (response: ServerResponse, status: number, data: object, headers: object = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(data));
  };
  function token(response: ServerResponse, body: string) {
    const payload = JSON.parse(body);
    if (payload.grant_type !== "client_credential" || payload.appid !== appid || payload.secret !== secret) {
      return json(response, 200, { errcode: 40125, errmsg: "invalid appsecret" });
    }
    requests.tokens += 1;
    behaviour.token = `token-${requests.tokens}`;
    return json(response, 200, { access_token: behaviour.token, expires_in: 7200 });
  }
  function code(response: ServerResponse, accessToken: string | null, body: string) {
    if (accessToken !== behaviour.token) return json(response, 200, { errcode: 42001, errmsg: "access_token expired" });
    const payload = JSON.parse(body);
    if (!/^[\w!#$&'()*+,/:;=?@.~-]{1,32}$/.test(payload.scene))
      return json(response, 200, { errcode: 40169, errmsg: "invalid scene" });
    requests.codes.push(payload);
    response.writeHead(200, { "content-type": "image/jpeg" }).end(Buffer.from(`code of ${payload.scene}`));
  }
  /** Successes are signed; errors are not, as at the real service. */
  function sendJson(response: ServerResponse, { status, data }: { status: number; data: object | null }) {
    const text = data ? JSON.stringify(data) : "";
    const headers = status < 300 && !behaviour.unsigned ? stamped(text) : {};
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  }
  async function find(request: IncomingMessage, response: ServerResponse, orderSn: string) {
    if (!request.url?.endsWith(`?mchid=${mchid}`)) return sendJson(response, { status: 400, data: { code: "PARAM_ERROR" } });
    requests.queries.push(orderSn);
    const state = openPayments.get(orderSn);
    const payment = payments.get(orderSn) ?? (state && { appid, mchid, out_trade_no: orderSn, trade_state: state });
    await behaviour.gate;
    if (payment) return sendJson(response, { status: 200, data: payment });
    return sendJson(response, { status: 404, data: { code: "ORDER_NOT_EXIST", message: "订单不存在" } });
  }
  function close(response: ServerResponse, orderSn: string) {
    requests.closings.push(orderSn);
    const code = payments.has(orderSn) ? "ORDERPAID" : openPayments.has(orderSn) ? null : "ORDER_NOT_EXIST";
    if (code) return sendJson(response, { status: code === "ORDERPAID" ? 400 : 404, data: { code, message: code } });
    openPayments.set(orderSn, "CLOSED");
    return sendJson(response, { status: 204, data: null });
  }
  function signedByMerchant({ method, url, headers: { authorization = "" } }: IncomingMessage, body: string): boolean {
    const field = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(authorization)?.[1] ?? "";
    const text = `${method}\n${url}\n${field("timestamp")}\n${field("nonce_str")}\n${body}\n`;
    const isGenuine = field("mchid") === mchid && field("serial_no") === merchantSerial;
    const signature = Buffer.from(field("signature"), "base64");
    return isGenuine && verify("sha256", Buffer.from(text), merchant.publicKey, signature);
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
    WECHAT_MERCHANT_SERIAL: merchantSerial,
    WECHAT_PAY_KEY_ID: payKeyId,
    WECHAT_MERCHANT_KEY_FILE: file("merchant.pem", pem(merchant.privateKey, "pkcs8")),
    WECHAT_PAY_KEY_FILE: file("platform.pem", pem(platform.publicKey, "spki")),
    WECHAT_API_ORIGIN: origin,
    WECHAT_PAY_ORIGIN: origin,
  };
  const end = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { env, origin, payments, openPayments, refundStub, requests, behaviour, notice, refundNotice, file, close: end };
}
