import * as v from "valibot";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { contract } from "#src/api/contract.ts";
import { client } from "#tests/support/client/client.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";
import { type AliyunStub, startAliyun } from "#tests/support/stubs/aliyun.ts";

let aliyun: AliyunStub;
beforeAll(async () => {
  aliyun = await startAliyun();
});
afterAll(() => aliyun.close());

const readiness = v.looseObject({ messages: v.string() });

async function requestCode(server: TestServer, username = newMobile()): Promise<void> {
  await client(server).call(contract.sendCode, { username });
  await server.waitForDelivery();
}

describeOnEngines("failing text messages on %s", (engine) => {
  it("show in /readyz after five in a row over all processes, and in the log, until one is accepted", async () => {
    const spy = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => spy.mockRestore());
    const log = () => spy.mock.calls.map(([line]) => String(line));
    const server = await createTestServer(engine, { env: aliyun.env });
    const other = await createTestServer(engine, { env: aliyun.env, db: server.db });
    /** Requests a new readiness, which each process stores for a second. */
    const readMessages = async () => {
      const next = await createTestServer(engine, { env: aliyun.env, db: server.db });
      const { status, data } = await next.request("/readyz");
      return [status, v.parse(readiness, data).messages];
    };
    aliyun.behaviour.reply = { code: "isv.AMOUNT_NOT_ENOUGH", message: "账户余额不足 13912345678" };
    for (let sent = 0; sent < 4; sent += 1) await requestCode(sent % 2 ? server : other);
    expect(await readMessages()).toEqual([200, "ok"]);
    await requestCode(other);
    expect(await readMessages()).toEqual([200, "the last 5 could not be sent: isv.AMOUNT_NOT_ENOUGH"]);
    await requestCode(server);
    expect(await readMessages()).toEqual([200, "the last 6 could not be sent: isv.AMOUNT_NOT_ENOUGH"]);
    const words = "the service responded 200 isv.AMOUNT_NOT_ENOUGH: 账户余额不足 …";
    const single = `A login code could not be sent: ${words}`;
    const alarm = `5 text messages in a row could not be sent, so that nobody can log in: ${words}`;
    expect(log()).toEqual([single, single, single, single, single, alarm, single]);
    aliyun.behaviour.reply = {};
    await requestCode(other);
    expect(await readMessages()).toEqual([200, "ok"]);
    expect(log().slice(7)).toEqual(["Text messages are sent again, after 6 failures in a row."]);
    // What becomes of an account's codes shows nowhere: an unknown account has none.
    aliyun.behaviour.reply = { code: "isv.OUT_OF_SERVICE" };
    for (let sent = 0; sent < 4; sent += 1) await requestCode(server);
    await requestCode(server, "demo");
    expect(await readMessages()).toEqual([200, "ok"]);
    server.advanceClock(60);
    aliyun.behaviour.reply = {};
    await requestCode(server, "demo");
    aliyun.behaviour.reply = { code: "isv.OUT_OF_SERVICE" };
    await requestCode(server);
    expect(await readMessages()).toEqual([200, "the last 5 could not be sent: isv.OUT_OF_SERVICE"]);
  });
});
