import * as v from "valibot";
import { planState } from "../../src/api/concert.ts";
import { concertId } from "../../src/api/paths.ts";
import { table } from "../../src/api/table.ts";
import { type ConformanceContext, type Group, getStrangerToken, getToken, requireValue } from "./context.ts";
import { assert, assertEqual, Skipped } from "./outcome.ts";

async function appToken(context: ConformanceContext, token: string): Promise<string> {
  const { app_user_token, chat_token, app_response_code } = await context.client.data(table.userToken, {}, { token });
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

async function plan(context: ConformanceContext, app: string, target: string, data: object = {}): Promise<boolean> {
  const { response_data } = await context.client.data(table.forward, request(app, target, data), { token: getToken(context) });
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
      async ({ client }) => {
        await client.data(table.getPlan, { id: concertId });
        await client.expectError("notFound", table.getPlan, { id: 999_999 });
        for (const id of ["1001", 1.5, null]) await client.expectError("badParameter", table.getPlan, { id });
      },
    ],
    [
      "an activated member joins and leaves through the forwarding call",
      async (context) => {
        const app = await appToken(context, getToken(context));
        const before = await plan(context, app, "getplan");
        for (const IsPlan of [!before, !before, before]) {
          assertEqual(await plan(context, app, "setplan", { IsPlan }), IsPlan, "IsPlan as it was set");
          assertEqual(await plan(context, app, "getplan"), IsPlan, "IsPlan as it is read");
        }
      },
    ],
    [
      "every other target is 10006",
      async (context) => {
        const token = getToken(context);
        const good = request(await appToken(context, token), "getplan", {});
        for (const request_url of urls)
          await context.client.expectError("notAllowed", table.forward, { ...good, request_url }, { token });
      },
    ],
    [
      "another method, header or token is 10006",
      async (context) => {
        const token = getToken(context);
        const app = await appToken(context, token);
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
        for (const wrong of wrongs)
          await context.client.expectError("notAllowed", table.forward, { ...good, ...wrong }, { token });
      },
    ],
    [
      "another member's token is 10006",
      async (context) => {
        const theirs = await appToken(context, getStrangerToken(context));
        await context.client.expectError("notAllowed", table.forward, request(theirs, "getplan", {}), {
          token: getToken(context),
        });
      },
    ],
    [
      "a member who is not activated gets 302006, no tokens, and no forwarding",
      async (context) => {
        const { token, info } = requireValue(
          context.inactive,
          "no member that is not activated is logged in (a third --member)",
        );
        if (info.activated) throw new Skipped("the third member is activated");
        const data = await context.client.data(table.userToken, {}, { token });
        assertEqual(data, { app_user_token: null, chat_token: null, app_response_code: 302006 }, "data");
        await context.client.expectError("notAllowed", table.forward, request("x", "getplan", {}), { token });
      },
    ],
  ],
};
