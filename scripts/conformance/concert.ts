import * as v from "valibot";
import { planState } from "../../src/api/concert.ts";
import { contract } from "../../src/api/contract.ts";
import { concertId } from "../../src/api/paths.ts";
import { assert, assertEqual, CheckSkipped } from "./client.ts";
import { type ConformanceContext, type Group, getSecondToken, getToken, requireValue } from "./context.ts";

async function fetchAppToken(context: ConformanceContext, token: string): Promise<string> {
  const { app_user_token, chat_token, app_response_code } = await context.client.data(contract.userToken, {}, { token });
  if (app_response_code === 302006) throw new CheckSkipped("this member is not activated");
  assert(
    app_response_code === 1 && !!app_user_token && !!chat_token,
    `an activated member has ${app_user_token ? "one token" : "no token"} and ${app_response_code}`,
  );
  return app_user_token;
}

const createRequest = (appToken: string, target: string, data: object) => ({
  request_url: `/api/concert/${target}`,
  request_method: "POST",
  request_header: { "content-type": "application/json", authorization: `Bearer ${appToken}` },
  request_data: { Id: concertId, ...data },
});

async function forwardPlan(context: ConformanceContext, app: string, target: string, data: object = {}): Promise<boolean> {
  const { response_data } = await context.client.data(contract.forward, createRequest(app, target, data), {
    token: getToken(context),
  });
  const parsed = v.safeParse(planState, JSON.parse(response_data));
  assert(parsed.success, `response_data is ${response_data.slice(0, 100)}`);
  return parsed.output.data.IsPlan;
}

const otherUrls = [
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
      "getplan returns the plan to a visitor, and 10003 for an unknown id",
      async ({ client }) => {
        await client.data(contract.getPlan, { id: concertId });
        await client.expectError("notFound", contract.getPlan, { id: 999_999 });
        for (const id of ["1001", 1.5, null]) await client.expectError("badParameter", contract.getPlan, { id });
      },
    ],
    [
      "an activated member joins and leaves the plan through the forwarding call",
      async (context) => {
        const app = await fetchAppToken(context, getToken(context));
        const before = await forwardPlan(context, app, "getplan");
        for (const IsPlan of [!before, !before, before]) {
          assertEqual(await forwardPlan(context, app, "setplan", { IsPlan }), IsPlan, "IsPlan in the response of setplan");
          assertEqual(await forwardPlan(context, app, "getplan"), IsPlan, "IsPlan in the response of getplan");
        }
      },
    ],
    [
      "every other target returns 10006",
      async (context) => {
        const token = getToken(context);
        const valid = createRequest(await fetchAppToken(context, token), "getplan", {});
        for (const request_url of otherUrls)
          await context.client.expectError("notAllowed", contract.forward, { ...valid, request_url }, { token });
      },
    ],
    [
      "another method, header or token returns 10006",
      async (context) => {
        const token = getToken(context);
        const app = await fetchAppToken(context, token);
        const valid = createRequest(app, "getplan", {});
        const { authorization, "content-type": type } = valid.request_header;
        const changes = [
          { request_method: "GET" },
          { request_method: "DELETE" },
          { request_header: { "content-type": type } },
          { request_header: { authorization } },
          { request_header: { "content-type": type, authorization: `Bearer ${app}x` } },
          { request_header: { "content-type": type, authorization: `Bearer ${token}` } },
          { request_header: { "content-type": type, authorization, host: "elsewhere.example" } },
        ];
        for (const change of changes)
          await context.client.expectError("notAllowed", contract.forward, { ...valid, ...change }, { token });
      },
    ],
    [
      "another member's token returns 10006",
      async (context) => {
        const secondAppToken = await fetchAppToken(context, getSecondToken(context));
        await context.client.expectError("notAllowed", contract.forward, createRequest(secondAppToken, "getplan", {}), {
          token: getToken(context),
        });
      },
    ],
    [
      "an inactive member receives 302006, no tokens and no forwarding",
      async (context) => {
        const { token, info } = requireValue(context.inactive, "no inactive member is logged in (third --member)");
        if (info.activated) throw new CheckSkipped("the third member is activated");
        const data = await context.client.data(contract.userToken, {}, { token });
        assertEqual(data, { app_user_token: null, chat_token: null, app_response_code: 302006 }, "data");
        await context.client.expectError("notAllowed", contract.forward, createRequest("x", "getplan", {}), { token });
      },
    ],
  ],
};
