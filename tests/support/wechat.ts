import { createCipheriv, generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign, verify } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { newFolder } from "./host-process.ts";

const appid = "wx0123456789abcdef";
const secret = "secret-of-the-mini-program";
const mchid = "1900000001";
const apiv3Key = "0123456789abcdef0123456789ABCDEF";
const payKeyId = "PUB_KEY_ID_0119000000012026";
const merchantSerial = "5157F09EFDC096DE15EBE81A47057A7232F1B8E1";

const keys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = (key: KeyObject, type: "spki" | "pkcs8") => String(key.export({ type, format: "pem" }));

/** A payment as WeChat Pay describes it. */
export function transaction(orderSn: string, payFen: number, changes: object = {}) {
  return {
    ...{ appid, mchid, out_trade_no: orderSn, transaction_id: `4200${randomUUID().replaceAll("-", "").slice(0, 24)}` },
    ...{ trade_type: "JSAPI", trade_state: "SUCCESS", trade_state_desc: "支付成功", bank_type: "OTHERS" },
    ...{ success_time: "2026-01-02T10:34:56+08:00", payer: { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" } },
    amount: { total: payFen, payer_total: payFen, currency: "CNY", payer_currency: "CNY" },
    ...changes,
  };
}

export interface Forgery {
  event?: string;
  /** Milliseconds that its clock is off by. */
  clock?: number;
  serial?: string;
  apiv3Key?: string;
  /** Signed by somebody else. */
  stranger?: boolean;
  body?: (text: string) => string;
  headers?: (headers: Record<string, string>) => Record<string, string>;
}

export type WechatStandIn = Awaited<ReturnType<typeof startWechat>>;

/** WeChat and WeChat Pay on this machine, with keys of their own: they check what they are sent and sign what they say. */
export async function startWechat(now: () => number = Date.now) {
  const folder = newFolder();
  const [platform, merchant, strange] = [keys(), keys(), keys()];
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const paid = new Map<string, object>();
  const refunds = new Map<string, object>();
  const seen = { tokens: 0, codes: [] as { scene: string; page?: string }[], asked: [] as string[], refused: [] as string[] };
  const mood = { token: "good", hang: false, unsigned: false };

  const stamped = (body: string, { clock = 0, serial = payKeyId, stranger = false }: Forgery = {}) => {
    const timestamp = String(Math.floor((now() + clock) / 1000));
    const nonce = randomBytes(16).toString("hex");
    const key = stranger ? strange.privateKey : platform.privateKey;
    const signature = sign("sha256", Buffer.from(`${timestamp}\n${nonce}\n${body}\n`), key).toString("base64");
    return {
      ...{ "wechatpay-timestamp": timestamp, "wechatpay-nonce": nonce, "wechatpay-signature": signature },
      ...{ "wechatpay-serial": serial, "wechatpay-signature-type": "WECHATPAY2-SHA256-RSA2048" },
    };
  };

  /** A notice of a payment, ready to be posted; forged where it says how. */
  function notice(payment: object, forgery: Forgery = {}) {
    const nonce = randomBytes(6).toString("hex");
    const cipher = createCipheriv("aes-256-gcm", forgery.apiv3Key ?? apiv3Key, nonce);
    cipher.setAAD(Buffer.from("transaction"));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(payment)), cipher.final(), cipher.getAuthTag()]);
    const text = JSON.stringify({
      ...{ id: randomUUID(), create_time: "2026-01-02T10:34:57+08:00", resource_type: "encrypt-resource", summary: "支付成功" },
      event_type: forgery.event ?? "TRANSACTION.SUCCESS",
      resource: {
        ...{ original_type: "transaction", algorithm: "AEAD_AES_256_GCM", associated_data: "transaction" },
        ...{ ciphertext: sealed.toString("base64"), nonce },
      },
    });
    const headers: Record<string, string> = { "content-type": "application/json", ...stamped(text, forgery) };
    return { body: forgery.body?.(text) ?? text, headers: forgery.headers?.(headers) ?? headers };
  }

  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    if (mood.hang) return;
    const { pathname, searchParams } = new URL(request.url ?? "", "http://wechat");
    if (pathname === "/cgi-bin/stable_token") return token(response, body);
    if (pathname === "/wxa/getwxacodeunlimit") return code(response, searchParams.get("access_token"), body);
    if (pathname.startsWith("/v3/pay/transactions/out-trade-no/")) return find(request, response, pathname);
    if (pathname === "/v3/refund/domestic/refunds") return refund(request, response, body);
    response.writeHead(404).end();
  });

  const json = (response: ServerResponse, status: number, data: object, headers: object = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(data));
  };
  function token(response: ServerResponse, body: string) {
    const asked = JSON.parse(body);
    if (asked.grant_type !== "client_credential" || asked.appid !== appid || asked.secret !== secret) {
      return json(response, 200, { errcode: 40125, errmsg: "invalid appsecret" });
    }
    seen.tokens += 1;
    mood.token = `token-${seen.tokens}`;
    return json(response, 200, { access_token: mood.token, expires_in: 7200 });
  }
  function code(response: ServerResponse, given: string | null, body: string) {
    if (given !== mood.token) return json(response, 200, { errcode: 42001, errmsg: "access_token expired" });
    const asked = JSON.parse(body);
    if (!/^[\w!#$&'()*+,/:;=?@.~-]{1,32}$/.test(asked.scene))
      return json(response, 200, { errcode: 40169, errmsg: "invalid scene" });
    seen.codes.push(asked);
    response.writeHead(200, { "content-type": "image/jpeg" }).end(Buffer.from(`code of ${asked.scene}`));
  }
  function find(request: IncomingMessage, response: ServerResponse, pathname: string) {
    const orderSn = pathname.split("/").at(-1) ?? "";
    if (!signedByMerchant(request, "") || !request.url?.endsWith(`?mchid=${mchid}`)) {
      seen.refused.push(orderSn);
      return json(response, 401, { code: "SIGN_ERROR" });
    }
    seen.asked.push(orderSn);
    const found = paid.get(orderSn);
    const text = JSON.stringify(found ?? { code: "ORDER_NOT_EXIST", message: "订单不存在" });
    const headers = mood.unsigned ? {} : stamped(text);
    response.writeHead(found ? 200 : 404, { "content-type": "application/json", ...headers }).end(text);
  }
  function refund(request: IncomingMessage, response: ServerResponse, body: string) {
    if (!signedByMerchant(request, body)) return json(response, 401, { code: "SIGN_ERROR" });
    const asked = JSON.parse(body);
    const known = paid.has(asked.out_trade_no);
    if (known) refunds.set(asked.out_refund_no, asked.amount);
    const text = JSON.stringify(
      known ? { out_refund_no: asked.out_refund_no, status: "PROCESSING" } : { code: "RESOURCE_NOT_EXISTS" },
    );
    response.writeHead(known ? 200 : 404, { "content-type": "application/json", ...stamped(text) }).end(text);
  }
  function signedByMerchant({ method, url, headers: { authorization = "" } }: IncomingMessage, body: string): boolean {
    const field = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(authorization)?.[1] ?? "";
    const text = `${method}\n${url}\n${field("timestamp")}\n${field("nonce_str")}\n${body}\n`;
    const right = field("mchid") === mchid && field("serial_no") === merchantSerial;
    const signature = Buffer.from(field("signature"), "base64");
    return right && verify("sha256", Buffer.from(text), merchant.publicKey, signature);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const env = {
    PAYMENT: "wechat",
    ...{
      WECHAT_APPID: appid,
      WECHAT_SECRET: secret,
      WECHAT_MCHID: mchid,
      WECHAT_APIV3_KEY: apiv3Key,
      WECHAT_PAGE: "pages/pay/pay",
    },
    ...{ WECHAT_MERCHANT_SERIAL: merchantSerial, WECHAT_PAY_KEY_ID: payKeyId },
    WECHAT_MERCHANT_KEY_FILE: file("merchant.pem", pem(merchant.privateKey, "pkcs8")),
    WECHAT_PAY_KEY_FILE: file("platform.pem", pem(platform.publicKey, "spki")),
    ...{ WECHAT_API_ORIGIN: origin, WECHAT_PAY_ORIGIN: origin },
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { env, origin, paid, refunds, seen, mood, notice, file, close };
}
