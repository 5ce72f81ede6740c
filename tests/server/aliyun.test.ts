import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../server/config/config.ts";
import { createAliyunSender } from "../../server/sms/sms.ts";
import { contract } from "../../src/api/contract.ts";
import { clientAt } from "../support/client/client.ts";
import { newFolder, startServer, stopServersAndRemoveFolders } from "../support/processes/server-process.ts";
import { newMobile } from "../support/processes/test-server.ts";
import { startAliyun } from "../support/stubs/aliyun.ts";

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

  it("fails when the service does not respond", { tags: ["full"] }, async () => {
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
