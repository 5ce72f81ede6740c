import { expect, it, onTestFinished, vi } from "vitest";
import { contract } from "../../src/api/contract.ts";
import { client } from "../support/client/client.ts";
import { createBuyer } from "../support/client/order.ts";
import { describeOnEngines, type Engine } from "../support/database/database.ts";
import { createTestServer, newMobile, type TestServer } from "../support/processes/test-server.ts";

const hour = 3600;

let last = 0;
/** Requests a code from an address of its own; returns the response without its id, and how many codes were sent. */
async function requestCode(server: TestServer, username: string, locale = "en-US") {
  last += 1;
  const before = server.sentMessages.length;
  const options = { from: `198.18.${last >> 8}.${last & 255}`, locale };
  const { status, headers, text } = await client(server).send(contract.sendCode, { username }, options);
  await server.waitForDelivery();
  const named = [...headers].filter(([name]) => name !== "x-request-id");
  return { response: JSON.stringify([status, named, text]), sent: server.sentMessages.length - before };
}

const requestCodes = async (server: TestServer, usernames: string[]) => {
  let sent = 0;
  for (const username of usernames) sent += (await requestCode(server, username)).sent;
  return sent;
};
const mobiles = (count: number) => Array.from({ length: count }, newMobile);

/** Creates members with an order each, paid or not, and a server a day later. */
async function createServer(engine: Engine, env: Record<string, string>, buyers: number) {
  const before = await createTestServer(engine);
  const ordered = mobiles(buyers);
  for (const [index, mobile] of ordered.entries()) {
    const buyer = await createBuyer(before, mobile);
    await (index % 2 ? buyer.order() : buyer.buyPackage());
  }
  const server = await createTestServer(engine, { env, db: before.db });
  server.advanceClock(24 * hour);
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  return { server, ordered, warn };
}

describeOnEngines("the reserve of login codes on %s", (engine) => {
  it("is a fifth of CODES_PER_HOUR_HOST: beyond the others, only numbers with an order receive codes", async () => {
    const { server, ordered, warn } = await createServer(engine, { CODES_PER_HOUR_HOST: "15" }, 5);
    expect(await requestCodes(server, mobiles(20))).toBe(12);
    expect(await requestCodes(server, [...mobiles(5), ...ordered.slice(0, 2)])).toBe(2);
    // Members without an order are like anybody.
    expect(await requestCodes(server, ["demo", "nobody", "13800138001"])).toBe(0);
    expect(await requestCodes(server, ordered.slice(2))).toBe(1);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^12 of the 15 login codes per hour \(CODES_PER_HOUR_HOST\)/)]]);
    server.advanceClock(hour - 1);
    expect(await requestCodes(server, mobiles(1))).toBe(0);
    server.advanceClock(1);
    expect(await requestCodes(server, mobiles(13))).toBe(12);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it("warns once an hour, also when codes of a rolling hour run out again and again", async () => {
    const { server, warn } = await createServer(engine, { CODES_PER_HOUR_HOST: "5", CODES_PER_HOUR_RESERVED: "2" }, 0);
    for (let tenMinutes = 0; tenMinutes < 12; tenMinutes += 1) {
      await requestCodes(server, mobiles(2));
      server.advanceClock(600);
    }
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["0", 5, 0],
    ["2", 3, 2],
    ["5", 0, 5],
  ])("is CODES_PER_HOUR_RESERVED=%s where that is set", async (CODES_PER_HOUR_RESERVED, others, reserved) => {
    const { server, ordered } = await createServer(engine, { CODES_PER_HOUR_HOST: "5", CODES_PER_HOUR_RESERVED }, 6);
    expect(await requestCodes(server, mobiles(7))).toBe(others);
    expect(await requestCodes(server, ordered)).toBe(reserved);
  });

  it.each(["zh-CN", "en-US"])(
    "shows in no response whether a number has ordered, before, at and over the ceiling (%s)",
    async (locale) => {
      const { server, ordered } = await createServer(engine, { CODES_PER_HOUR_HOST: "5" }, 3);
      const record = async (username: string) => {
        const responses: string[] = [];
        for (let send = 0; send < 3; send += 1) {
          for (let again = 0; again < 2; again += 1) responses.push((await requestCode(server, username, locale)).response);
          for (let tries = 0; tries < 4; tries += 1) {
            const payload = { username, verification_code: "000000" };
            const { status, text } = await client(server, { locale }).send(contract.login, payload);
            responses.push(JSON.stringify([status, text]));
          }
          server.advanceClock(60);
        }
        return responses;
      };
      /** Returns the receivers of codes of one member with an order and one number without, which look the same in responses. */
      const compare = async (mobile = "") => {
        const other = `${mobile.slice(0, 5)}${mobile[5] === "9" ? "8" : "9"}${mobile.slice(6)}`;
        const before = server.sentMessages.length;
        const responses = await record(mobile);
        expect(await record(other)).toEqual(responses);
        return server.sentMessages.slice(before).map(({ to }) => (to === mobile ? "ordered" : "other"));
      };
      await requestCodes(server, mobiles(4));
      expect(await compare(ordered[0])).toEqual(["ordered"]);
      expect(await compare(ordered[1])).toEqual([]);
      server.advanceClock(hour);
      expect(await compare(ordered[2])).toEqual(["ordered", "ordered", "ordered", "other"]);
    },
  );

  it("counts requests without a code for the number and its network as others", async () => {
    const { server } = await createServer(engine, { CODES_PER_HOUR_HOST: "1", CODES_PER_HOUR_PER_IP: "3" }, 0);
    await requestCodes(server, mobiles(1));
    const send = (username: string) => client(server).send(contract.sendCode, { username });
    const [mobile = "", ...others] = mobiles(4);
    expect((await send(mobile)).code).toBe(1);
    expect(await send(mobile)).toMatchObject({ code: 10004, data: { retry_after: 60 } });
    for (const username of others.slice(0, 2)) expect((await send(username)).code).toBe(1);
    expect(await send(others[2] ?? "")).toMatchObject({ code: 10004, data: { retry_after: hour } });
  });

  it("is not used up by the requests of others, however many", { tags: ["full"] }, async () => {
    const { server, ordered } = await createServer(engine, {}, 1);
    const usernames = mobiles(1_300);
    for (let at = 0; at < usernames.length; at += 50)
      await Promise.all(
        usernames
          .slice(at, at + 50)
          .map((username, n) => client(server).call(contract.sendCode, { username }, { from: `198.19.${at / 50}.${n}` })),
      );
    await server.waitForDelivery();
    expect(server.sentMessages).toHaveLength(800);
    expect(await requestCodes(server, ordered)).toBe(1);
  });
});
