import { createHmac, hash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

const keyId = "LTAI5tExampleKeyId";
const secret = "example-secret-of-the-access-key";

/** How the service treats a request that is signed rightly. */
export interface Reply {
  status?: number;
  /** The code of the response, "OK" by default. */
  code?: string;
  message?: string;
  /** Replaces the whole body. */
  body?: string;
  /** Whether the message is sent: by default when the code is "OK". */
  isSent?: boolean;
  /** What happens to the connection instead of a response. */
  connection?: "hangs" | "breaks";
}

export type AliyunStub = Awaited<ReturnType<typeof startAliyun>>;

/** Stub of Alibaba Cloud's SMS API: verifies signatures, accepts each nonce once and records the messages that it sends. */
export async function startAliyun() {
  const messages: { to: string | null; sign: string | null; template: string | null; code: unknown }[] = [];
  const nonces = new Set<string>();
  /** `replies` are used up one by one, then `reply` is given; nothing is answered before `gate`. */
  const behaviour: { replies: Reply[]; reply: Reply; gate: Promise<void> } = {
    replies: [],
    reply: {},
    gate: Promise.resolve(),
  };
  const approved = { sign: 1, template: "1", content: `验证码 ${"$"}{code}`, code: "OK" };
  const review = { ...approved };
  /** Counts requests that were signed rightly. */
  const counts = { requests: 0 };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { searchParams } = new URL(request.url ?? "", "http://aliyun");
    const to = searchParams.get("PhoneNumbers");
    const fault = findFault(request, body);
    if (!fault) counts.requests += 1;
    const reply: Reply = fault ? { status: 400, code: fault } : (behaviour.replies.shift() ?? behaviour.reply);
    const { status = 200, code = "OK", message = `about ${to}`, isSent = code === "OK", connection } = reply;
    const action = String(request.headers["x-acs-action"]);
    if (action !== "SendSms" && !fault) return void sendReview(response, action, searchParams);
    if (isSent) {
      const sign = searchParams.get("SignName");
      const template = searchParams.get("TemplateCode");
      messages.push({ to, sign, template, code: JSON.parse(searchParams.get("TemplateParam") ?? "{}").code });
    }
    await behaviour.gate;
    if (connection === "hangs") return;
    if (connection === "breaks") return void response.destroy();
    response.writeHead(status, { "content-type": "application/json" });
    response.end(reply.body ?? JSON.stringify({ Code: code, Message: message, RequestId: "x" }));
  });

  /** Answers what became of the review of a signature or a template: 0 in review, 1 approved, 2 not approved. */
  function sendReview(response: ServerResponse, action: string, query: URLSearchParams) {
    const { sign, template, content, code } = review;
    const isOwnSign = action === "GetSmsSign" ? query.get("SignName") === env.ALIYUN_SIGN_NAME : true;
    const state = action === "GetSmsSign" ? { SignStatus: sign } : { TemplateStatus: template, TemplateContent: content };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ Code: isOwnSign ? code : "isv.SIGN_NAME_ILLEGAL", Message: "of the stub", ...state }));
  }

  function findFault({ method, url = "", headers }: IncomingMessage, body: string): string | null {
    const header = (name: string) => String(headers[name] ?? "");
    const parsed = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
      header("authorization"),
    );
    if (!parsed) return "MissingSignature";
    const [, credential, names = "", signature] = parsed;
    if (credential !== keyId) return "InvalidAccessKeyId.NotFound";
    const age = Date.now() - Date.parse(header("x-acs-date"));
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(header("x-acs-date")) || Math.abs(age) > 15 * 60_000)
      return "InvalidTimeStamp.Expired";
    if (header("x-acs-content-sha256") !== hash("sha256", body)) return "SignatureDoesNotMatch";
    const required = ["host", "x-acs-action", "x-acs-content-sha256", "x-acs-date", "x-acs-signature-nonce", "x-acs-version"];
    if (required.some((name) => !names.split(";").includes(name))) return "SignatureDoesNotMatch";
    if (
      !["SendSms", "GetSmsSign", "GetSmsTemplate"].includes(header("x-acs-action")) ||
      header("x-acs-version") !== "2017-05-25"
    )
      return "InvalidAction.NotFound";
    const [path, query = ""] = url.split("?");
    const canonicalQuery = query.split("&").sort().join("&");
    const lines = names.split(";").map((name) => `${name}:${header(name).trim()}\n`);
    const request = [method, path, canonicalQuery, lines.join(""), names, hash("sha256", body)].join("\n");
    const expected = createHmac("sha256", secret)
      .update(`ACS3-HMAC-SHA256\n${hash("sha256", request)}`)
      .digest("hex");
    if (signature !== expected) return "SignatureDoesNotMatch";
    if (nonces.has(header("x-acs-signature-nonce"))) return "SignatureNonceUsed";
    nonces.add(header("x-acs-signature-nonce"));
    return null;
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const env = {
    SMS: "aliyun",
    ALLOW_SANDBOX: "true",
    ALIYUN_ACCESS_KEY_ID: keyId,
    ALIYUN_ACCESS_KEY_SECRET: secret,
    ALIYUN_ORIGIN: origin,
    ALIYUN_SIGN_NAME: "入口 (Entrance)*",
    ALIYUN_TEMPLATE_CODE: "SMS_123456789",
  };
  /** Delays responses until the returned function is called. */
  const hold = (): (() => void) => {
    let release = () => {};
    behaviour.gate = new Promise((resolve) => {
      release = resolve;
    });
    return () => release();
  };
  const reset = () => {
    messages.length = 0;
    counts.requests = 0;
    Object.assign(behaviour, { replies: [], reply: {}, gate: Promise.resolve() });
    Object.assign(review, approved);
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { env, messages, behaviour, review, counts, hold, reset, close };
}
