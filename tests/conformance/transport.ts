import * as v from "valibot";
import { expect } from "vitest";
import type { ServedCall } from "#src/api/call.ts";
import { contract } from "#src/api/contract.ts";
import type { Client } from "./client.ts";
import { type Checks, getClient, need } from "./run.ts";

const calls: ServedCall[] = Object.values<ServedCall>(contract).filter(({ extension }) => !extension);
const posts = calls.filter(({ method }) => method === "POST");

async function expectStatus(expected: number, client: Client, ...request: Parameters<Client["send"]>): Promise<void> {
  const { status, method, text } = await client.send(...request);
  expect(status, `${method} ${request[0]} returned ${text.slice(0, 140)}`).toBe(expected);
}

export const transport: Checks = {
  "an unknown path returns 404 with 10003": async ({ visitor }) => {
    const paths = ["nothing", "user", "user/info/", "user/info%20", "mall/orderinfo", "/user/info", "%c0%ae", "__proto__"];
    for (const path of paths.map((path) => `/v1/${path}`))
      for (const method of ["GET", "POST"]) await expectStatus(404, visitor, path, { method });
  },

  "another method returns 405 with 10006, for each of the 27 calls": async ({ visitor }) => {
    for (const { path, method } of calls) {
      await expectStatus(405, visitor, path, method === "GET" ? { method: "POST", body: {} } : { method: "GET" });
      await expectStatus(405, visitor, path, { method: "PUT", body: {} });
    }
  },

  "malformed JSON returns 400 with 10002, before the session is checked": async ({ visitor }) => {
    for (const { path } of posts) await expectStatus(400, visitor, path, { body: '{"a":' });
  },

  "a body over 64 KB returns 413 with 10002": async ({ visitor }) => {
    for (const { path } of [contract.sendCode, contract.goodsInfo])
      await expectStatus(413, visitor, path, { body: { username: "x".repeat(66_000) } });
  },

  "a body of 64 KB is accepted": async ({ visitor }) => {
    await visitor.data(contract.regionInfo, { region_code: "", more: "x".repeat(65_000) });
  },

  "a body of another content type returns 415 with 10002": async ({ visitor }) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    for (const { path } of posts.slice(0, 3)) await expectStatus(415, visitor, path, { body: "a=b", headers });
  },

  "a page of another origin may not read responses": async ({ visitor }) => {
    for (const origin of ["https://elsewhere.example", "null"]) {
      const { headers } = await visitor.call(contract.goodsLists, undefined, { headers: { origin } });
      expect(["*", origin]).not.toContain(headers.get("access-control-allow-origin"));
    }
  },

  "the site's pages may call from their own origin": async ({ visitor, siteOrigin }) => {
    const origin = need(siteOrigin, "the origin of the site is missing (--site-origin)");
    const requested = {
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,device-type,token",
    };
    const preflight = await fetch(visitor.origin + contract.sendCode.path, {
      method: "OPTIONS",
      headers: { origin, ...requested },
    });
    expect(preflight.ok, `the preflight returned HTTP ${preflight.status}`).toBe(true);
    expect(preflight.headers.get("access-control-allow-origin"), "of the preflight").toBe(origin);
    const allowed = (preflight.headers.get("access-control-allow-headers") ?? "").toLowerCase();
    for (const name of ["content-type", "device-type", "token"]) expect(allowed).toContain(name);
    for (const call of [contract.goodsLists, contract.userInfo]) {
      const { headers } = await visitor.call(call, undefined, { headers: { origin } });
      expect(headers.get("access-control-allow-origin"), call.path).toBe(origin);
    }
  },
};

const han = /\p{Script=Han}/u;
const marked = { username: "<mark>", goods_uid: "<mark>", uid: "<mark>", region_code: "<mark>", id: "<mark>" };

export const language: Checks = {
  "msg is in the requested language": async ({ visitor }) => {
    for (const call of [contract.userInfo, contract.goodsInfo, contract.goodsLists]) {
      expect((await visitor.call(call, {}, { locale: "zh-CN" })).envelope.msg, call.path).toMatch(han);
      expect((await visitor.call(call, {}, { locale: "en-US" })).envelope.msg, call.path).not.toMatch(han);
    }
  },

  "an unknown language returns English": async ({ visitor }) => {
    const [other, en] = [
      await visitor.call(contract.userInfo, {}, { locale: "fr" }),
      await visitor.call(contract.userInfo, {}, { locale: "en-US" }),
    ];
    expect(other.envelope.msg).toBe(en.envelope.msg);
  },

  "texts of the server are in the requested language, all other data is equal": async ({ visitor }) => {
    const zh = await visitor.data(contract.goodsLists, undefined, { locale: "zh-CN" });
    const en = await visitor.data(contract.goodsLists, undefined, { locale: "en-US" });
    const facts = (data: typeof zh) => data.list.map(({ goods_uid, price_fen }) => [goods_uid, price_fen]);
    expect(facts(zh)).toEqual(facts(en));
    expect(zh.list.map(({ title }) => title)).not.toEqual(en.list.map(({ title }) => title));
  },

  "no response repeats the payload": async ({ visitor }) => {
    const { sendCode, goodsInfo, packageInfo, regionInfo, getPlan } = contract;
    for (const call of [sendCode, goodsInfo, packageInfo, regionInfo, getPlan])
      expect((await visitor.call(call, marked)).text).not.toContain("mark");
  },
};

const isSessionCall = ({ access }: ServedCall) => access === "session";
const validated = posts.filter(({ payload }) => payload.type !== "optional");

async function expectRejected(client: Client, calls: ServedCall[]): Promise<void> {
  for (const call of calls) {
    const { envelope } = await client.expectCode("badParameter", call, {});
    const fields: Record<string, unknown> = Object(Object(envelope.data).fields);
    const required = v.safeParse(call.payload, {}).issues?.map((issue) => v.getDotPath(issue) ?? "") ?? [];
    for (const field of required) expect(fields[field], `${call.path}: the text for ${field}`).toMatch(/./);
    for (const body of ["[]", "null", "7", '"x"']) {
      const response = await client.send(call.path, { body });
      expect([response.status, response.envelope.code], `${call.path} with ${body}`).toEqual([200, 10002]);
    }
  }
}

export const payload: Checks = {
  "public calls return 10002 for missing fields, with the fields in data.fields": ({ visitor }) =>
    expectRejected(
      visitor,
      validated.filter((call) => !isSessionCall(call)),
    ),

  "member calls return 10002 for missing fields, with the fields in data.fields": (run) =>
    expectRejected(getClient(run), validated.filter(isSessionCall)),

  "the session is checked before the payload": async ({ visitor }) => {
    for (const call of validated.filter(isSessionCall)) await visitor.expectCode("sessionInvalid", call, {});
  },

  "unknown fields are ignored": async ({ visitor }) => {
    await visitor.data(contract.regionInfo, { region_code: "", surplus: { a: [1] } });
  },

  "a call without payload accepts an empty body and {}": async (run) => {
    for (const body of ["", "{}", '{"surplus":1}']) {
      const { envelope } = await getClient(run).send(contract.userToken.path, { method: "POST", body });
      expect(envelope.code, `for "${body}"`).toBe(1);
    }
  },
};
