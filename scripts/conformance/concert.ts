import * as v from "valibot";
import { planState } from "../../src/api/concert.ts";
import { concertId } from "../../src/api/paths.ts";
import { table } from "../../src/api/table.ts";
import { type ConformanceContext, type Group, needed, strangerOf, tokenOf } from "./context.ts";
import { assert, assertEqual, Skipped } from "./outcome.ts";

async function appToken(ground: ConformanceContext, token: string): Promise<string> {
  const { app_user_token, chat_token, app_response_code } = await ground.wire.data(table.userToken, {}, { token });
  if (app_response_code === 302006) throw new Skipped("this member is not activated");
  assert(
    app_response_code === 1 && !!app_user_token && !!chat_token,
    `an activated member has ${app_user_token ? "one token" : "no token"} and ${app_response_code}`,
  );
  return app_user_token;
}

const request = (app: string, target: string, data: object) => ({
  request_url: `/api/concert/${target}`,
  request_method: "POST",
  request_header: { "content-type": "application/json", authorization: `Bearer ${app}` },
  request_data: { Id: concertId, ...data },
});

async function plan(ground: ConformanceContext, app: string, target: string, data: object = {}): Promise<boolean> {
  const { response_data } = await ground.wire.data(table.forward, request(app, target, data), { token: tokenOf(ground) });
  const read = v.safeParse(planState, JSON.parse(response_data));
  assert(read.success, `response_data is ${response_data.slice(0, 100)}`);
  return read.output.data.IsPlan;
}

const urls = [
  "/api/concert/delplan",
  "/api/concert/getplan/",
  "/api/concert/../user",
  "//elsewhere.example/api/concert/getplan",
  "http://elsewhere.example/api/concert/getplan",
  "http://127.0.0.1:22/",
  "http://169.254.169.254/latest/meta-data",
  "file:///etc/passwd",
  "/API/CONCERT/GETPLAN",
  "/api/concert/getplan?x=1",
  "",
];

export const concert: Group = {
  name: "concert plan",
  checks: [
    [
      "the plan is there for anyone, one that is not known is 10003",
      async ({ wire }) => {
        await wire.data(table.getPlan, { id: concertId });
        await wire.refusal("notFound", table.getPlan, { id: 999_999 });
        for (const id of ["1001", 1.5, null]) await wire.refusal("badParameter", table.getPlan, { id });
      },
    ],
    [
      "an activated member joins and leaves through the forwarding call",
      async (ground) => {
        const app = await appToken(ground, tokenOf(ground));
        const before = await plan(ground, app, "getplan");
        for (const IsPlan of [!before, !before, before]) {
          assertEqual(await plan(ground, app, "setplan", { IsPlan }), IsPlan, "IsPlan as it was set");
          assertEqual(await plan(ground, app, "getplan"), IsPlan, "IsPlan as it is read");
        }
      },
    ],
    [
      "every other target is 10006",
      async (ground) => {
        const token = tokenOf(ground);
        const good = request(await appToken(ground, token), "getplan", {});
        for (const request_url of urls)
          await ground.wire.refusal("notAllowed", table.forward, { ...good, request_url }, { token });
      },
    ],
    [
      "another method, header or token is 10006",
      async (ground) => {
        const token = tokenOf(ground);
        const app = await appToken(ground, token);
        const good = request(app, "getplan", {});
        const { authorization, "content-type": type } = good.request_header;
        const wrongs = [
          { request_method: "GET" },
          { request_method: "DELETE" },
          { request_header: { "content-type": type } },
          { request_header: { authorization } },
          { request_header: { "content-type": type, authorization: `Bearer ${app}x` } },
          { request_header: { "content-type": type, authorization: `Bearer ${token}` } },
          { request_header: { "content-type": type, authorization, host: "elsewhere.example" } },
        ];
        for (const wrong of wrongs) await ground.wire.refusal("notAllowed", table.forward, { ...good, ...wrong }, { token });
      },
    ],
    [
      "another member's token is 10006",
      async (ground) => {
        const theirs = await appToken(ground, strangerOf(ground));
        await ground.wire.refusal("notAllowed", table.forward, request(theirs, "getplan", {}), { token: tokenOf(ground) });
      },
    ],
    [
      "a member who is not activated gets 302006, no tokens, and no forwarding",
      async (ground) => {
        const { token, info } = needed(ground.inactive, "no member that is not activated is logged in (a third --member)");
        if (info.activated) throw new Skipped("the third member is activated");
        const data = await ground.wire.data(table.userToken, {}, { token });
        assertEqual(data, { app_user_token: null, chat_token: null, app_response_code: 302006 }, "data");
        await ground.wire.refusal("notAllowed", table.forward, request("x", "getplan", {}), { token });
      },
    ],
  ],
};
