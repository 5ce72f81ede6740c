// @module-tag full
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "#server/config/config.ts";
import { DeliveryError } from "#server/lib/errors.ts";
import { createAliyunSender } from "#server/sms/aliyun.ts";
import { contract } from "#src/api/contract.ts";
import { clientAt } from "#tests/support/client/client.ts";
import { newFolder, startServer, stopServersAndRemoveFolders } from "#tests/support/processes/child-process.ts";
import { newMobile } from "#tests/support/processes/test-server.ts";
import { type AliyunStub, type Reply, startAliyun } from "#tests/support/stubs/aliyun.ts";

let aliyun: AliyunStub;
beforeAll(async () => {
  aliyun = await startAliyun();
});
beforeEach(() => aliyun.reset());
afterAll(async () => {
  await aliyun.close();
  await stopServersAndRemoveFolders();
});

const sender = (env: Record<string, string> = {}) =>
  createAliyunSender(readConfig({ ...aliyun.env, ...env }), () => new Date());
const message = { to: "13912345678", code: "012345" };

/** Sends the message and returns the failure; null when the service has accepted it. */
async function sendMessage(env?: Record<string, string>): Promise<DeliveryError | null> {
  try {
    await sender(env).send(message);
    return null;
  } catch (error) {
    if (error instanceof DeliveryError) return error;
    throw error;
  }
}

const refusal = { isRefusal: true };
const unclear = { isRefusal: false };

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
    ["an unreachable service", { ALIYUN_ORIGIN: "http://127.0.0.1:2" }, /fetch failed \(ECONNREFUSED\)/],
    ["an unknown host", { ALIYUN_ORIGIN: "http://nowhere.invalid" }, /fetch failed \((ENOTFOUND|EAI_AGAIN)\)/],
  ])("fails for certain with %s, with an error message without the mobile number and the code", async (_what, env, words) => {
    const failure = await sendMessage(env);
    expect(failure?.message).toMatch(words);
    expect(failure?.message).not.toMatch(/1391234|012345/);
    expect(failure).toMatchObject(refusal);
    expect(aliyun.messages).toEqual([]);
  });

  const business = { code: "isv.BUSINESS_LIMIT_CONTROL", message: "触发分钟级流控Permits:1" };
  const html = "<html><h1>502 Bad Gateway</h1></html>";

  it.each<[what: string, replies: Reply[], requests: number, failure: object]>([
    ["a limit of the number", [business], 1, { ...refusal, code: "isv.BUSINESS_LIMIT_CONTROL" }],
    ["an illegal number", [{ code: "isv.MOBILE_NUMBER_ILLEGAL" }], 1, refusal],
    ["no balance", [{ code: "isv.AMOUNT_NOT_ENOUGH", message: "账户余额不足" }], 1, refusal],
    ["a right that is missing", [{ status: 400, code: "isp.RAM_PERMISSION_DENY" }], 1, refusal],
    ["a wall in front of it", [{ status: 403, body: html }], 1, { ...refusal, code: "HTTP 403" }],
    ["a redirect", [{ status: 302, body: html }], 1, { ...refusal, code: "HTTP 302" }],
    ["a body that cannot be read", [{ body: "<html>", isSent: true }], 1, { ...unclear, code: "HTTP 200" }],
    ["a code that is none", [{ code: "a b\nc" }], 1, { ...unclear, code: "HTTP 200" }],
    ["a request that arrived before", Array(2).fill({ status: 400, code: "SignatureNonceUsed" }), 2, unclear],
    ["throttling twice", Array(2).fill({ status: 400, code: "Throttling.User" }), 2, { ...refusal, code: "Throttling.User" }],
    ["throttling without a code, twice", Array(2).fill({ status: 429, body: "" }), 2, { ...refusal, code: "HTTP 429" }],
    ["a gateway's page twice", Array(2).fill({ status: 502, body: html }), 2, { ...unclear, code: "HTTP 502" }],
    ["an unavailable service twice", Array(2).fill({ status: 503, code: "ServiceUnavailable" }), 2, unclear],
    ["a fault of its own twice", Array(2).fill({ code: "isp.SYSTEM_ERROR" }), 2, unclear],
    ["a broken connection twice", Array(2).fill({ connection: "breaks" }), 2, unclear],
    ["throttling, then no balance", [{ code: "Throttling" }, { code: "isv.OUT_OF_SERVICE" }], 2, refusal],
    ["a break after sending, then a limit", [{ connection: "breaks", isSent: true }, business], 2, unclear],
    ["throttling, then a break", [{ code: "Throttling.Api" }, { connection: "breaks" }], 2, unclear],
  ])("classifies %s, after a second request where that may help", async (_what, replies, requests, expected) => {
    aliyun.behaviour.replies = [...replies];
    const failure = await sendMessage();
    expect(failure).toMatchObject(expected);
    expect(failure?.message).not.toMatch(/1391234|012345/);
    expect(aliyun.counts.requests).toBe(requests);
  });

  it.each<[what: string, reply: Reply]>([
    ["throttling", { status: 400, code: "Throttling.User" }],
    ["a gateway's page", { status: 502, body: html }],
    ["a fault of the service", { code: "isp.SYSTEM_ERROR" }],
    ["a broken connection", { connection: "breaks" }],
  ])("sends a message on the second attempt after %s", async (_what, reply) => {
    aliyun.behaviour.replies = [{ isSent: false, ...reply }];
    expect(await sendMessage()).toBeNull();
    expect(aliyun.messages).toHaveLength(1);
  });

  it("reports the service's words on one line, and the status where there are none", async () => {
    const words = async (reply: Reply) => {
      aliyun.reset();
      aliyun.behaviour.reply = reply;
      return (await sendMessage())?.message;
    };
    expect(await words(business)).toBe("the service responded 200 isv.BUSINESS_LIMIT_CONTROL: 触发分钟级流控Permits:1");
    expect(await words({ code: "isv.INVALID_PARAMETERS", message: "13912345678\r\n012345 １３９１２３" })).toBe(
      "the service responded 200 isv.INVALID_PARAMETERS: … … …",
    );
    expect(await words({ status: 502, body: html })).toBe("the service responded 502 without a code");
  });

  it("does not know whether a message is sent when the service does not respond, twice", { timeout: 20_000 }, async () => {
    aliyun.behaviour.reply = { connection: "hangs" };
    expect(await sendMessage()).toMatchObject({ ...unclear, code: "TimeoutError", message: expect.stringMatching(/timeout/) });
    expect(aliyun.counts.requests).toBe(2);
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
