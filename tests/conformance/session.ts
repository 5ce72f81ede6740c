import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { expect } from "vitest";
import type { Call } from "#src/api/call.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import { mobilePattern } from "#src/api/mobile.ts";
import { createClient, type Response } from "./client.ts";
import {
  type Checks,
  getAddress,
  getClient,
  getGoodsOrder,
  getMember,
  getPackageOrder,
  getSecondClient,
  type Member,
  missing,
  need,
  newRequestId,
  type Run,
  skip,
} from "./run.ts";

/** Seconds to wait at most before sending another code. */
const maxWait = 65;

/** Logs in one of the numbers and checks the rules of login codes. */
async function logIn({ visitor, numbers, getCode }: Run, index: number): Promise<Member> {
  const username = need(numbers[index], "there is no number for this member (--member)");
  const readCode = need(getCode, "login codes cannot be read (--code-command or --outbox)");
  const since = new Date();
  await sendCode(visitor, username);
  await visitor.expectCode("tooFrequent", contract.sendCode, { username });
  const verification_code = await readCode(username, since);
  for (const { path, text } of visitor.responses)
    if (path === contract.sendCode.path) expect(text, "no response has the code").not.toContain(verification_code);
  const wrong = verification_code === "000000" ? "000001" : "000000";
  const refused = await visitor.expectCode("wrongCode", contract.login, { username, verification_code: wrong });
  const { token, info } = await visitor.data(contract.login, { username, verification_code });
  const used = await visitor.expectCode("wrongCode", contract.login, { username, verification_code });
  expect(used.text, "the response to a used code").toBe(refused.text);
  return { client: createClient(visitor.origin, token, visitor.responses), info };
}

async function sendCode(visitor: Run["visitor"], username: string): Promise<void> {
  let { envelope } = await visitor.call(contract.sendCode, { username });
  const wait = Number(Object(envelope.data).retry_after);
  if (envelope.code === codes.tooFrequent && wait <= maxWait) {
    await pause(wait * 1000);
    envelope = (await visitor.call(contract.sendCode, { username })).envelope;
  }
  if (envelope.code === codes.tooFrequent) skip(`the server sends no more codes for now (${envelope.msg})`);
  expect(envelope.code, envelope.msg).toBe(codes.success);
  const { target, code_length } = v.parse(contract.sendCode.data, envelope.data);
  expect(target, "the number is masked").not.toMatch(mobilePattern);
  expect(code_length).toBe(6);
}

export const session: Checks = {
  "a login code works once, a wrong one does not": async (run) => {
    const [number = ""] = run.numbers;
    run.members.first = await logIn(run, 0);
    expect(run.members.first.info.mobile_masked).toBe(`${number.slice(0, 3)}****${number.slice(-4)}`);
  },

  "a second member logs in, with another token and id": async (run) => {
    run.members.second = await logIn(run, 1);
    const { client, info } = run.members.second;
    expect(run.members.first?.client.token).not.toBe(client.token);
    expect(run.members.first?.info.id).not.toBe(info.id);
  },

  "a third member logs in": async (run) => {
    run.members.inactive = await logIn(run, 2);
  },

  "an unknown account returns the same response as a known one, and its tries are limited": async ({ visitor, getCode }) => {
    if (!getCode) return skip("login codes cannot be read, so none is requested");
    const username = `nobody_${Math.random().toString(36).slice(2, 12)}`;
    const { envelope } = await visitor.call(contract.sendCode, { username });
    if (envelope.code === codes.tooFrequent) return skip("the server sends no more codes to this address for now");
    expect(envelope.code, envelope.msg).toBe(codes.success);
    const payload = { username, verification_code: "000000" };
    for (let attempt = 0; attempt < 5; attempt += 1) await visitor.expectCode("wrongCode", contract.login, payload);
    await visitor.expectCode("tooManyTries", contract.login, payload);
  },

  "user/info returns the member of the login response": async (run) => {
    const { client, info } = getMember(run);
    expect((await client.data(contract.userInfo)).info).toEqual(info);
  },

  "member calls return 10001 without a token and for an invalid one": async ({ visitor, members }) => {
    const expectRefused = (call: Call, token: string) =>
      createClient(visitor.origin, token, visitor.responses).expectCode("sessionInvalid", call, {});
    const valid = members.first?.client.token ?? "x".repeat(43);
    for (const token of ["", `${valid.slice(0, -1)}${valid.endsWith("A") ? "B" : "A"}`, `${valid}x`, "x", " "])
      await expectRefused(contract.userInfo, token);
    for (const call of Object.values<Call>(contract))
      if (call.access === "session" && !call.extension) await expectRefused(call, "x");
  },

  "public calls return the same response for an invalid token as for a visitor": async ({ visitor }) => {
    const invalid = createClient(visitor.origin, "x".repeat(43), visitor.responses);
    for (const call of [contract.goodsLists, contract.packageLists, contract.activityInfo, contract.bookingInfo])
      expect({ ...(await invalid.data(call)), server_time: 0 }).toEqual({ ...(await visitor.data(call)), server_time: 0 });
  },

  "the extension changes the nickname of its member alone, and refuses one of another length; a server without it offers none":
    async (run) => {
      const { client, info } = getMember(run);
      if (!info.actions?.nickname) return skip("the server does not have this extension");
      const second = await getSecondClient(run).data(contract.userInfo);
      for (const nickname of ["Émile 小满", "🎷🎹".repeat(10), "e\u0301tude"]) {
        const changed = await client.data(contract.userNickname, { nickname: ` ${nickname} ` });
        expect(changed.info).toEqual({ ...info, nickname: nickname.normalize("NFC") });
        expect(await client.data(contract.userInfo)).toEqual(changed);
      }
      await client.expectInvalid(
        contract.userNickname,
        {},
        { nickname: ["", " ", "x", "x".repeat(21), "a\0b", "\ud800x", 7, null] },
      );
      expect(await getSecondClient(run).data(contract.userInfo)).toEqual(second);
      await client.data(contract.userNickname, { nickname: info.nickname });
    },

  "each token belongs to its member": async (run) => {
    const { info } = await getSecondClient(run).data(contract.userInfo);
    expect(info.id).toBe(run.members.second?.info.id);
  },
};

/** Headers that differ in every response. */
const volatileHeaders =
  /^(date|age|connection|keep-alive|via|server-timing|cf-ray|x-(request|trace|correlation|amz).*|(x-)?ratelimit-.*)$/;

const getBytes = ({ status, headers, text }: Response) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !volatileHeaders.test(name)),
});

/** Fails unless the responses for another member's data and for missing data are equal, byte for byte, in both languages. */
async function expectSameResponse(run: Run, call: Call, foreign: object, unknown: object): Promise<void> {
  const client = getSecondClient(run);
  for (const locale of ["zh-CN", "en-US"]) {
    const response = await client.expectCode("notFound", call, foreign, { locale });
    expect(getBytes(response)).toEqual(getBytes(await client.expectCode("notFound", call, unknown, { locale })));
    expect(response.envelope.data).toBeNull();
  }
}

export const otherMember: Checks = {
  "another member's address returns the same bytes as an unknown one": async (run) => {
    const { address_id, is_default, name, mobile, region_code, detail } = getAddress(run);
    const fields = { name, mobile, region_code, detail, is_default };
    const unknown = { address_id: missing.address };
    await expectSameResponse(run, contract.addressUp, { ...fields, address_id }, { ...fields, ...unknown });
    await expectSameResponse(run, contract.addressDel, { address_id }, unknown);
  },

  "another member's address cannot be used for an order": async (run) => {
    const order = { ...getGoodsOrder(run).payload, client_request_id: newRequestId() };
    await expectSameResponse(run, contract.mallCreateOrder, order, { ...order, address_id: missing.address });
  },

  "another member's goods order and its pay code return the same bytes as unknown ones": async (run) => {
    const { order_sn } = getGoodsOrder(run).order;
    for (const call of [contract.mallOrderInfo, contract.mallPayCode])
      await expectSameResponse(run, call, { order_sn }, { order_sn: missing.mall });
  },

  "another member's package order and its pay code return the same bytes as unknown ones": async (run) => {
    const { order_sn } = getPackageOrder(run).order;
    for (const call of [contract.packageOrderInfo, contract.packagePayCode])
      await expectSameResponse(run, call, { order_sn }, { order_sn: missing.package });
  },

  "another member's data is not in the lists of the second member": async (run) => {
    const client = getSecondClient(run);
    const responses = [
      await client.expectCode("success", contract.mallOrderList, { page: 1, page_size: 50 }),
      await client.expectCode("success", contract.packageOrderLists),
      await client.expectCode("success", contract.addressLists),
    ];
    const ids = [run.goodsOrder?.order.order_sn, run.packageOrder?.order.order_sn, run.address?.address_id];
    for (const { text } of responses) for (const id of ids) if (id) expect(text).not.toContain(id);
  },
};

/** Runs last: the second member has no session afterwards. */
export const logOut: Checks = {
  "the extension ends the session of its token alone; a server without it returns 404": async (run) => {
    const client = getSecondClient(run);
    const invalid = createClient(client.origin, "x", client.responses);
    if ((await invalid.call(contract.logout)).status === 404) return skip("the server does not have this extension");
    await client.data(contract.logout);
    if (run.members.second) run.members.second.isLoggedOut = true;
    for (const call of [contract.userInfo, contract.logout]) await client.expectCode("sessionInvalid", call, {});
    await getClient(run).data(contract.userInfo);
  },
};
