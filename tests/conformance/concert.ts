import * as v from "valibot";
import { expect } from "vitest";
import { planState } from "#src/api/concert.ts";
import { contract } from "#src/api/contract.ts";
import { concertId } from "#src/api/paths.ts";
import type { Client } from "./client.ts";
import { type Checks, getClient, getSecondClient, need, skip } from "./run.ts";

async function fetchAppToken(client: Client): Promise<string> {
  const { app_user_token, chat_token, app_response_code, expires_in = 1 } = await client.data(contract.userToken);
  if (app_response_code === 302006) return skip("this member is not activated");
  expect(app_response_code).toBe(1);
  for (const token of [app_user_token, chat_token]) expect(token, "tokens of an activated member").toMatch(/./);
  expect(expires_in, "the time for which the token is valid, where the server says it").toBeGreaterThan(0);
  return app_user_token ?? "";
}

const createRequest = (appToken: string, target: string, data: object = {}) => ({
  request_url: `/api/concert/${target}`,
  request_method: "POST",
  request_header: { "content-type": "application/json", authorization: `Bearer ${appToken}` },
  request_data: { Id: concertId, ...data },
});

async function forward(client: Client, app: string, target: string, data?: object): Promise<boolean> {
  const { response_data } = await client.data(contract.forward, createRequest(app, target, data));
  return v.parse(planState, JSON.parse(response_data)).data.IsPlan;
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

export const concert: Checks = {
  "getplan returns the plan to a visitor, and 10003 for an unknown id": async ({ visitor }) => {
    await visitor.data(contract.getPlan, { id: concertId });
    for (const body of ["{}", "", '{"surplus":1}'])
      expect((await visitor.send(contract.getPlan.path, { method: "POST", body })).envelope.code, `for "${body}"`).toBe(1);
    for (const id of [999_999, 0, -1, 2 ** 31, 2 ** 40, -(2 ** 53) + 1])
      await visitor.expectCode("notFound", contract.getPlan, { id });
    await visitor.expectInvalid(contract.getPlan, {}, { id: ["1001", 1001.5, null, [1001], 2 ** 60] });
  },

  "an activated member joins and leaves the plan through the forwarding call": async (run) => {
    const client = getClient(run);
    const app = await fetchAppToken(client);
    const before = await forward(client, app, "getplan");
    for (const IsPlan of [!before, !before, before]) {
      expect(await forward(client, app, "setplan", { IsPlan }), "setplan").toBe(IsPlan);
      expect(await forward(client, app, "getplan"), "getplan").toBe(IsPlan);
    }
  },

  "data without an Id are about the plan 1001": async (run) => {
    const client = getClient(run);
    const app = await fetchAppToken(client);
    const before = await forward(client, app, "getplan");
    for (const IsPlan of [!before, before]) {
      expect(await forward(client, app, "setplan", { Id: undefined, IsPlan }), "setplan").toBe(IsPlan);
      expect(await forward(client, app, "getplan", { Id: undefined }), "getplan without an Id").toBe(IsPlan);
      expect(await forward(client, app, "getplan"), `getplan of ${concertId}`).toBe(IsPlan);
    }
  },

  "data that the target does not accept returns 10002 with the field in data.fields, another plan 10003": async (run) => {
    const client = getClient(run);
    const app = await fetchAppToken(client);
    for (const [field, data] of [
      ["Id", { Id: String(concertId), IsPlan: true }],
      ["Id", { Id: null, IsPlan: true }],
      ["Id", { Id: 1.5, IsPlan: true }],
      ["IsPlan", {}],
      ["IsPlan", { IsPlan: 1 }],
    ] as const) {
      const { envelope } = await client.expectCode("badParameter", contract.forward, createRequest(app, "setplan", data));
      expect(Object.keys(Object(Object(envelope.data).fields))).toEqual([`request_data.${field}`]);
    }
    for (const Id of [999_999, 2 ** 40])
      await client.expectCode("notFound", contract.forward, createRequest(app, "setplan", { Id, IsPlan: true }));
  },

  "every other target returns 10006": async (run) => {
    const client = getClient(run);
    const valid = createRequest(await fetchAppToken(client), "getplan");
    for (const request_url of otherUrls) await client.expectCode("notAllowed", contract.forward, { ...valid, request_url });
  },

  "another method, header or token returns 10006": async (run) => {
    const client = getClient(run);
    const app = await fetchAppToken(client);
    const valid = createRequest(app, "getplan");
    const { authorization, "content-type": type } = valid.request_header;
    for (const change of [
      { request_method: "GET" },
      { request_method: "DELETE" },
      { request_header: { "content-type": type } },
      { request_header: { authorization } },
      { request_header: { "content-type": type, authorization: `Bearer ${app}x` } },
      { request_header: { "content-type": type, authorization: `Bearer ${client.token}` } },
      { request_header: { "content-type": type, authorization, host: "elsewhere.example" } },
    ])
      await client.expectCode("notAllowed", contract.forward, { ...valid, ...change });
  },

  "another member's token returns 10006": async (run) => {
    const app = await fetchAppToken(getSecondClient(run));
    await getClient(run).expectCode("notAllowed", contract.forward, createRequest(app, "getplan"));
  },

  "an inactive member receives 302006, no tokens and no forwarding": async ({ members }) => {
    const { client, info } = need(members.inactive, "no inactive member is logged in (third --member)");
    if (info.activated) return skip("the third member is activated");
    const none = { app_user_token: null, chat_token: null, app_response_code: 302006 };
    expect(await client.data(contract.userToken)).toEqual(none);
    await client.expectCode("notAllowed", contract.forward, createRequest("x", "getplan"));
  },
};
