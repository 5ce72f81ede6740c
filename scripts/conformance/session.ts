import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import type { Call } from "../../src/api/call.ts";
import { contract } from "../../src/api/contract.ts";
import { codes } from "../../src/api/envelope.ts";
import { mobilePattern } from "../../src/api/mobile.ts";
import { assert, assertEqual, CheckSkipped, formatResponse, type Response } from "./client.ts";
import {
  type ConformanceContext,
  type Group,
  getSecondToken,
  getToken,
  type Member,
  missing,
  newRequestId,
  requireValue,
} from "./context.ts";

/** Maximum seconds to wait before sending another code. */
const maxWaitSeconds = 65;

/** Logs in one of the operator's numbers and checks the rules of login codes. */
async function logIn(context: ConformanceContext, memberIndex: number): Promise<Member> {
  const { client, numbers, codes: source } = context;
  const username = numbers[memberIndex];
  if (!username) throw new CheckSkipped("there is no number for this member (--member)");
  if (!source) throw new CheckSkipped("login codes cannot be read (--code-command, --outbox, or a terminal)");
  const since = new Date();
  await sendCode(context, username);
  const early = await client.expectError("tooFrequent", contract.sendCode, { username });
  assert(early.status === 200, `a second code at once returned HTTP ${early.status}`);
  const verification_code = await source.getCode(username, since);
  assert(
    !client.responses.some(({ path, text }) => path === contract.sendCode.path && text.includes(verification_code)),
    "a response contains the login code",
  );

  const wrongCode = verification_code === "000000" ? "000001" : "000000";
  const wrongCodeResponse = await client.expectError("wrongCode", contract.login, { username, verification_code: wrongCode });
  const member = await client.data(contract.login, { username, verification_code });
  const usedCodeResponse = await client.expectError("wrongCode", contract.login, { username, verification_code });
  assertEqual(usedCodeResponse.text, wrongCodeResponse.text, "the response to a used code");
  return member;
}

async function sendCode({ client }: ConformanceContext, username: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { status, envelope, text } = await client.call(contract.sendCode, { username });
    const wait = Number(Object(envelope?.data).retry_after);
    if (envelope?.code === codes.tooFrequent && attempt === 0 && wait <= maxWaitSeconds) await pause(wait * 1000);
    else if (envelope?.code === codes.tooFrequent)
      throw new CheckSkipped(`the server sends no more codes for now (${envelope.msg})`);
    else {
      assert(envelope?.code === codes.success, `no code was sent: ${formatResponse(status, text)}`);
      const data = v.safeParse(contract.sendCode.data, envelope.data);
      assert(data.success, "the response does not fit the contract");
      assert(!mobilePattern.test(data.output.target), "target contains the whole number");
      assertEqual(data.output.code_length, 6, "code_length");
      return;
    }
  }
}

const maskMobile = (number: string) => `${number.slice(0, 3)}****${number.slice(-4)}`;

export const session: Group = {
  name: "session",
  checks: [
    [
      "a login code works once, a wrong one does not",
      async (context) => {
        context.member = await logIn(context, 0);
        assertEqual(context.member.info.mobile_masked, maskMobile(context.numbers[0] ?? ""), "mobile_masked");
      },
    ],
    [
      "a second member logs in, with another token and id",
      async (context) => {
        context.secondMember = await logIn(context, 1);
        const { member, secondMember } = context;
        assert(member?.token !== secondMember.token, "two members have the same token");
        assert(member?.info.id !== secondMember.info.id, "two members have the same id");
      },
    ],
    [
      "a third member logs in",
      async (context) => {
        if (!context.numbers[2]) throw new CheckSkipped("there is no third number (--member)");
        context.inactive = await logIn(context, 2);
      },
    ],
    [
      "an unknown account returns the same response as a known one, and its tries are limited",
      async ({ client, codes }) => {
        if (!codes) throw new CheckSkipped("login codes cannot be read, so none is requested");
        const username = `nobody_${Math.random().toString(36).slice(2, 12)}`;
        const response = await client.call(contract.sendCode, { username });
        if (response.envelope?.code === 10004) throw new CheckSkipped("the server sends no more codes to this address for now");
        assert(response.envelope?.code === 1, `sending a code returned ${formatResponse(response.status, response.text)}`);
        const payload = { username, verification_code: "000000" };
        for (let attempt = 0; attempt < 5; attempt += 1) await client.expectError("wrongCode", contract.login, payload);
        await client.expectError("tooManyTries", contract.login, payload);
      },
    ],
    [
      "user/info returns the member of the login response",
      async (context) => {
        const { info } = await context.client.data(contract.userInfo, undefined, { token: getToken(context) });
        assertEqual(info, context.member?.info, "info");
      },
    ],
    [
      "member calls return 10001 without a token and for an invalid one",
      async ({ client, member }) => {
        const valid = member?.token ?? "x".repeat(43);
        for (const token of ["", `${valid.slice(0, -1)}${valid.endsWith("A") ? "B" : "A"}`, `${valid}x`, "x", " "]) {
          await client.expectError("sessionInvalid", contract.userInfo, undefined, { token });
        }
        for (const call of Object.values<Call>(contract)) {
          if (call.access === "session" && !call.extension)
            await client.expectError("sessionInvalid", call, {}, { token: "x" });
        }
      },
    ],
    [
      "public calls return the same response for an invalid token as for a visitor",
      async ({ client }) => {
        for (const call of [contract.goodsLists, contract.packageLists, contract.activityInfo]) {
          const [visitor, invalid] = [await client.data(call), await client.data(call, undefined, { token: "x".repeat(43) })];
          assertEqual({ ...invalid, server_time: 0 }, { ...visitor, server_time: 0 }, `${call.path} with an invalid token`);
        }
      },
    ],
    [
      "each token belongs to its member",
      async (context) => {
        const { info } = await context.client.data(contract.userInfo, undefined, { token: getSecondToken(context) });
        assertEqual(info.id, context.secondMember?.info.id, "the id of the second member");
      },
    ],
  ],
};

/** Headers that differ in every response. */
const volatileHeaders =
  /^(date|age|connection|keep-alive|via|server-timing|cf-ray|x-(request|trace|correlation|amz).*|(x-)?ratelimit-.*)$/;

function getBytes({ status, headers, text }: Response) {
  return { status, text, headers: [...headers].filter(([name]) => !volatileHeaders.test(name)) };
}

/** Fails unless the responses for another member's data and for missing data are equal, byte for byte, in both languages. */
async function assertSameResponse(
  context: ConformanceContext,
  call: Call,
  foreignPayload: object,
  unknownPayload: object,
): Promise<void> {
  for (const locale of ["zh-CN", "en-US"]) {
    const options = { token: getSecondToken(context), locale };
    const foreignResponse = await context.client.expectError("notFound", call, foreignPayload, options);
    const unknownResponse = await context.client.expectError("notFound", call, unknownPayload, options);
    assertEqual(getBytes(foreignResponse), getBytes(unknownResponse), `the response of ${call.path} for another member's data`);
    assert(foreignResponse.envelope.data === null, `${call.path} returns data with 10003`);
  }
}

const orders: [
  title: string,
  getOrder: (context: ConformanceContext) => { order_sn: string } | undefined,
  calls: Call[],
  unknownSn: string,
][] = [
  ["goods order", ({ goodsOrder }) => goodsOrder?.order, [contract.mallOrderInfo, contract.mallPayCode], missing.mall],
  [
    "package order",
    ({ packageOrder }) => packageOrder?.order,
    [contract.packageOrderInfo, contract.packagePayCode],
    missing.package,
  ],
];

export const otherMember: Group = {
  name: "another member's",
  checks: [
    [
      "address returns the same bytes as an unknown one",
      async (context) => {
        const { address_id, is_default, name, mobile, region_code, detail } = requireValue(
          context.address,
          "no address was created",
        );
        const fields = { name, mobile, region_code, detail, is_default };
        await assertSameResponse(
          context,
          contract.addressUp,
          { ...fields, address_id },
          { ...fields, address_id: missing.address },
        );
        await assertSameResponse(context, contract.addressDel, { address_id }, { address_id: missing.address });
      },
    ],
    [
      "address cannot be used for an order",
      async (context) => {
        const { payload } = requireValue(context.goodsOrder, "no goods order was created");
        const order = { ...payload, client_request_id: newRequestId() };
        await assertSameResponse(context, contract.mallCreateOrder, order, { ...order, address_id: missing.address });
      },
    ],
    ...orders.map(([title, getOrder, calls, unknownSn]): Group["checks"][number] => [
      `${title} and its pay code return the same bytes as unknown ones`,
      async (context) => {
        const { order_sn } = requireValue(getOrder(context), "no order was created");
        for (const call of calls) await assertSameResponse(context, call, { order_sn }, { order_sn: unknownSn });
      },
    ]),
    [
      "data is not in the lists of the second member",
      async (context) => {
        const token = getSecondToken(context);
        const texts = [
          await context.client.call(contract.mallOrderList, { page: 1, page_size: 50 }, { token }),
          await context.client.call(contract.packageOrderLists, undefined, { token }),
          await context.client.call(contract.addressLists, undefined, { token }),
        ].map(({ text }) => text);
        const ownIds = [context.goodsOrder?.order.order_sn, context.packageOrder?.order.order_sn, context.address?.address_id];
        for (const id of ownIds)
          assert(!id || !texts.some((text) => text.includes(id)), `${id} is in a list of the second member`);
      },
    ],
  ],
};

/** Runs last: the second member has no session afterwards. */
export const logOut: Group["checks"][number] = [
  "the extension ends the session of its token alone; a server without it returns 404",
  async (context) => {
    const { client, secondMember } = context;
    const token = getSecondToken(context);
    if ((await client.call(contract.logout, {}, { token: "x" })).status === 404)
      throw new CheckSkipped("the server does not have this extension");
    await client.data(contract.logout, {}, { token });
    if (secondMember) secondMember.isLoggedOut = true;
    for (const call of [contract.userInfo, contract.logout]) await client.expectError("sessionInvalid", call, {}, { token });
    await client.data(contract.userInfo, undefined, { token: getToken(context) });
  },
];
