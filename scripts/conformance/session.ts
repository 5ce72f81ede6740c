import { table } from "../../src/api/table.ts";
import { brief } from "./client.ts";
import { type Group, strangerOf, tokenOf } from "./context.ts";
import { logIn } from "./log-in.ts";
import { assert, assertEqual, Skipped } from "./outcome.ts";

const masked = (number: string) => `${number.slice(0, 3)}****${number.slice(-4)}`;

export const session: Group = {
  name: "session",
  checks: [
    [
      "a code that was sent logs in, once; a wrong one does not",
      async (ground) => {
        ground.member = await logIn(ground, 0);
        assertEqual(ground.member.info.mobile_masked, masked(ground.numbers[0] ?? ""), "mobile_masked");
      },
    ],
    [
      "a second member logs in, with a token and an id of their own",
      async (ground) => {
        ground.stranger = await logIn(ground, 1);
        const { member, stranger } = ground;
        assert(member?.token !== stranger.token, "two members have one token");
        assert(member?.info.id !== stranger.info.id, "two members have one id");
      },
    ],
    [
      "a third member logs in",
      async (ground) => {
        if (!ground.numbers[2]) throw new Skipped("there is no third number (--member)");
        ground.inactive = await logIn(ground, 2);
      },
    ],
    [
      "an account that nobody has is answered like any other, and its guesses are counted",
      async ({ wire, codes }) => {
        if (!codes) throw new Skipped("codes cannot be read, so none is asked for");
        const username = `nobody_${Math.random().toString(36).slice(2, 12)}`;
        const sent = await wire.ask(table.sendCode, { username });
        if (sent.envelope?.code === 10004) throw new Skipped("no more codes are sent to this address for now");
        assert(sent.envelope?.code === 1, `sending to it was answered ${brief(sent.status, sent.text)}`);
        const payload = { username, verification_code: "000000" };
        for (let guess = 0; guess < 5; guess += 1) await wire.refusal("wrongCode", table.login, payload);
        await wire.refusal("tooManyTries", table.login, payload);
      },
    ],
    [
      "user/info says what logging in said",
      async (ground) => {
        const { info } = await ground.wire.data(table.userInfo, undefined, { token: tokenOf(ground) });
        assertEqual(info, ground.member?.info, "info");
      },
    ],
    [
      "members' calls refuse a visitor, and a token that is none, with 10001",
      async ({ wire, member }) => {
        const good = member?.token ?? "x".repeat(43);
        for (const token of ["", `${good.slice(0, -1)}${good.endsWith("A") ? "B" : "A"}`, `${good}x`, "x", " "]) {
          await wire.refusal("sessionInvalid", table.userInfo, undefined, { token });
        }
        for (const call of Object.values(table)) {
          if (call.access === "session") await wire.refusal("sessionInvalid", call, {}, { token: "x" });
        }
      },
    ],
    [
      "public calls answer a token that is none as they answer a visitor",
      async ({ wire }) => {
        for (const call of [table.goodsLists, table.packageLists, table.activityInfo]) {
          const [visitor, odd] = [await wire.data(call), await wire.data(call, undefined, { token: "x".repeat(43) })];
          assertEqual({ ...odd, server_time: 0 }, { ...visitor, server_time: 0 }, `${call.path} with such a token`);
        }
      },
    ],
    [
      "each token is its own member's",
      async (ground) => {
        const { info } = await ground.wire.data(table.userInfo, undefined, { token: strangerOf(ground) });
        assertEqual(info.id, ground.stranger?.info.id, "the id of the second member");
      },
    ],
  ],
};
