// @module-tag full
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../server/config/config.ts";
import { createAliyunSender } from "../../server/sms/sms.ts";
import { contract } from "../../src/api/contract.ts";
import { clientAt } from "../support/client/client.ts";
import { newFolder, startServer, stopServersAndRemoveFolders } from "../support/processes/child-process.ts";
import { newMobile } from "../support/processes/test-server.ts";

const keyId = "LTAI5tExampleKeyId";
const secret = "example-secret-of-the-access-key";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/** Stub of Alibaba Cloud's SMS API: verifies signatures, accepts each nonce once and records the messages. */
async function startAliyun() {
  const messages: { to: string | null; sign: string | null; template: string | null; code: unknown }[] = [];
  const nonces = new Set<string>();
  const behaviour = { code: "OK", hang: false };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    if (behaviour.hang) return;
    const fault = findFault(request, body) ?? (behaviour.code === "OK" ? null : behaviour.code);
    const { searchParams } = new URL(request.url ?? "", "http://aliyun");
    if (!fault) {
      const code = JSON.parse(searchParams.get("TemplateParam") ?? "{}").code;
      messages.push({
        to: searchParams.get("PhoneNumbers"),
        sign: searchParams.get("SignName"),
        template: searchParams.get("TemplateCode"),
        code,
      });
    }
    response.writeHead(fault && fault !== behaviour.code ? 400 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ Code: fault ?? "OK", Message: `about ${searchParams.get("PhoneNumbers")}`, RequestId: "x" }));
  });

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
    if (header("x-acs-content-sha256") !== hash(body)) return "SignatureDoesNotMatch";
    const required = ["host", "x-acs-action", "x-acs-content-sha256", "x-acs-date", "x-acs-signature-nonce", "x-acs-version"];
    if (required.some((name) => !names.split(";").includes(name))) return "SignatureDoesNotMatch";
    if (header("x-acs-action") !== "SendSms" || header("x-acs-version") !== "2017-05-25") return "InvalidAction.NotFound";
    const [path, query = ""] = url.split("?");
    const canonicalQuery = query.split("&").sort().join("&");
    const lines = names.split(";").map((name) => `${name}:${header(name).trim()}\n`);
    const request = [method, path, canonicalQuery, lines.join(""), names, hash(body)].join("\n");
    const expected = createHmac("sha256", secret)
      .update(`ACS3-HMAC-SHA256\n${hash(request)}`)
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
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { env, messages, behaviour, close };
}

let aliyun: Awaited<ReturnType<typeof startAliyun>>;
beforeAll(async () => {
  aliyun = await startAliyun();
});
beforeEach(() => {
  aliyun.messages.length = 0;
  Object.assign(aliyun.behaviour, { code: "OK", hang: false });
});
afterAll(async () => {
  await aliyun.close();
  await stopServersAndRemoveFolders();
});

const sender = (env: Record<string, string> = {}) =>
  createAliyunSender(readConfig({ ...aliyun.env, ...env }), () => new Date());
const message = { to: "13912345678", code: "012345" };
const sendMessage = (env?: Record<string, string>) =>
  sender(env)
    .send(message)
    .then(
      () => "sent",
      (error: Error) => error.message,
    );

describe("the Alibaba Cloud SMS sender", () => {
  it("signs each request with a new nonce so that the service accepts it", async () => {
    await sender().send(message);
    await sender().send({ ...message, code: "999999" });
    const rest = { to: "13912345678", sign: "入口 (Entrance)*", template: "SMS_123456789" };
    expect(aliyun.messages).toEqual([
      { ...rest, code: "012345" },
      { ...rest, code: "999999" },
    ]);
  });

  it.each([
    ["a wrong secret", { ALIYUN_ACCESS_KEY_SECRET: "another-secret" }, /400 SignatureDoesNotMatch/],
    ["an unknown key", { ALIYUN_ACCESS_KEY_ID: "LTAI5tAnotherKey" }, /400 InvalidAccessKeyId\.NotFound/],
    ["an unreachable service", { ALIYUN_ORIGIN: "http://127.0.0.1:1" }, /fetch failed/],
  ])("fails with %s, with an error message without the mobile number and the code", async (_what, env, words) => {
    const result = await sendMessage(env);
    expect(result).toMatch(words);
    expect(result).not.toMatch(/1391234|012345/);
    expect(aliyun.messages).toEqual([]);
  });

  it("fails when the service refuses to send", async () => {
    aliyun.behaviour.code = "isv.BUSINESS_LIMIT_CONTROL";
    expect(await sendMessage()).toBe("the service responded 200 isv.BUSINESS_LIMIT_CONTROL");
  });

  it("fails when the service does not respond", async () => {
    aliyun.behaviour.hang = true;
    expect(await sendMessage()).toMatch(/timeout/);
  });

  it("delivers login codes when SMS=aliyun, without printing them", async () => {
    const DATA_DIR = newFolder("seeded");
    const server = await startServer({ DATA_DIR, ...aliyun.env });
    const username = newMobile();
    expect((await clientAt(server.origin).send(contract.sendCode, { username })).code).toBe(1);
    await expect.poll(() => aliyun.messages).toHaveLength(1);
    const verification_code = String(aliyun.messages[0]?.code);
    expect(aliyun.messages[0]).toMatchObject({ to: username });
    expect((await clientAt(server.origin).send(contract.login, { username, verification_code })).code).toBe(1);
    expect(server.output()).not.toContain(verification_code);
    expect(server.output()).toContain("sent as text messages");
  });
});
