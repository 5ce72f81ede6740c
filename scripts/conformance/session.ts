import { table } from "../../src/api/table.ts";
import { brief } from "./client.ts";
import { type Group, getStrangerToken, getToken } from "./context.ts";
import { logIn } from "./log-in.ts";
import { assert, assertEqual, Skipped } from "./outcome.ts";

const masked = (number: string) => `${number.slice(0, 3)}****${number.slice(-4)}`;

export const session: Group = {
  name: "session",
  checks: [
    [
      "a code that was sent logs in, once; a wrong one does not",
      async (context) => {
        context.member = await logIn(context, 0);
        assertEqual(context.member.info.mobile_masked, masked(context.numbers[0] ?? ""), "mobile_masked");
      },
    ],
    [
      "a second member logs in, with a token and an id of their own",
      async (context) => {
        context.stranger = await logIn(context, 1);
        const { member, stranger } = context;
        assert(member?.token !== stranger.token, "two members have one token");
        assert(member?.info.id !== stranger.info.id, "two members have one id");
      },
    ],
    [
      "a third member logs in",
      async (context) => {
        if (!context.numbers[2]) throw new Skipped("there is no third number (--member)");
        context.inactive = await logIn(context, 2);
      },
    ],
    [
      "an account that nobody has is answered like any other, and its guesses are counted",
      async ({ client, codes }) => {
        if (!codes) throw new Skipped("codes cannot be read, so none is asked for");
        const username = `nobody_${Math.random().toString(36).slice(2, 12)}`;
        const sent = await client.call(table.sendCode, { username });
        if (sent.envelope?.code === 10004) throw new Skipped("no more codes are sent to this address for now");
        assert(sent.envelope?.code === 1, `sending to it was answered ${brief(sent.status, sent.text)}`);
        const payload = { username, verification_code: "000000" };
        for (let guess = 0; guess < 5; guess += 1) await client.expectError("wrongCode", table.login, payload);
        await client.expectError("tooManyTries", table.login, payload);
      },
    ],
    [
      "user/info says what logging in said",
      async (context) => {
        const { info } = await context.client.data(table.userInfo, undefined, { token: getToken(context) });
        assertEqual(info, context.member?.info, "info");
      },
    ],
    [
      "members' calls refuse a visitor, and a token that is none, with 10001",
      async ({ client, member }) => {
        const good = member?.token ?? "x".repeat(43);
        for (const token of ["", `${good.slice(0, -1)}${good.endsWith("A") ? "B" : "A"}`, `${good}x`, "x", " "]) {
          await client.expectError("sessionInvalid", table.userInfo, undefined, { token });
        }
        for (const call of Object.values(table)) {
          if (call.access === "session") await client.expectError("sessionInvalid", call, {}, { token: "x" });
        }
      },
    ],
    [
      "public calls answer a token that is none as they answer a visitor",
      async ({ client }) => {
        for (const call of [table.goodsLists, table.packageLists, table.activityInfo]) {
          const [visitor, odd] = [await client.data(call), await client.data(call, undefined, { token: "x".repeat(43) })];
          assertEqual({ ...odd, server_time: 0 }, { ...visitor, server_time: 0 }, `${call.path} with such a token`);
        }
      },
    ],
    [
      "each token is its own member's",
      async (context) => {
        const { info } = await context.client.data(table.userInfo, undefined, { token: getStrangerToken(context) });
        assertEqual(info.id, context.stranger?.info.id, "the id of the second member");
      },
    ],
  ],
};
