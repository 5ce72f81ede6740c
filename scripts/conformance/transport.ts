import * as v from "valibot";
import type { Call } from "../../src/api/call.ts";
import { contract } from "../../src/api/contract.ts";
import { isSessionCall } from "./assertions.ts";
import { assert, assertEqual, CheckSkipped, formatResponse, type Response } from "./client.ts";
import { type ConformanceContext, type Group, getToken } from "./context.ts";

const calls: Call[] = Object.values<Call>(contract).filter(({ extension }) => !extension);
const posts = calls.filter(({ method }) => method === "POST");
const validated = posts.filter(({ payload }) => payload.type !== "optional");

/** Returns the required fields of a payload. */
function getRequiredFields({ payload }: Call): string[] {
  const parsed = v.safeParse(payload, {});
  return (parsed.issues ?? []).flatMap((issue) => v.getDotPath(issue) ?? []);
}

async function assertRejected(context: ConformanceContext, calls: Call[], token: string): Promise<void> {
  for (const call of calls) {
    const { envelope } = await context.client.expectError("badParameter", call, {}, { token });
    const fields = Object(Object(envelope.data).fields);
    for (const field of getRequiredFields(call)) {
      assert(typeof fields[field] === "string" && fields[field] !== "", `${call.path} has no text for ${field} in data.fields`);
    }
    for (const body of ["[]", "null", "7", '"x"']) {
      const { status, envelope: response, text } = await context.client.send(call.path, { body, token });
      assert(status === 200 && response?.code === 10002, `${call.path} returned ${formatResponse(status, text)} for ${body}`);
    }
  }
}

export const payload: Group = {
  name: "payloads",
  checks: [
    [
      "public calls return 10002 for missing fields, with the fields in data.fields",
      async (context) =>
        assertRejected(
          context,
          validated.filter((call) => !isSessionCall(call)),
          "",
        ),
    ],
    [
      "member calls return 10002 for missing fields, with the fields in data.fields",
      async (context) => assertRejected(context, validated.filter(isSessionCall), getToken(context)),
    ],
    [
      "the session is checked before the payload",
      async ({ client }) => {
        for (const call of validated.filter(isSessionCall)) await client.expectError("sessionInvalid", call, {});
      },
    ],
    [
      "unknown fields are ignored",
      async ({ client }) => {
        await client.data(contract.regionInfo, { region_code: "", surplus: { a: [1] } });
      },
    ],
    [
      "a call without payload accepts an empty body and {}",
      async (context) => {
        const token = getToken(context);
        for (const body of ["", "{}", '{"surplus":1}']) {
          const { status, envelope, text } = await context.client.send(contract.userToken.path, {
            method: "POST",
            body,
            token,
          });
          assert(status === 200 && envelope?.code === 1, `returned ${formatResponse(status, text)} for "${body}"`);
        }
      },
    ],
  ],
};

function assertResponse({ path, method, status, envelope, text }: Response, expected: number, code: number): void {
  assert(
    status === expected && envelope?.code === code,
    `${method} ${path} returned ${formatResponse(status, text)} instead of HTTP ${expected} with ${code}`,
  );
}

export const transport: Group = {
  name: "transport",
  checks: [
    [
      "an unknown path returns 404 with 10003",
      async ({ client }) => {
        for (const path of ["/v1/nothing", "/v1/user", "/v1/user/info/", "/v1/mall/orderinfo"]) {
          for (const method of ["GET", "POST"]) assertResponse(await client.send(path, { method }), 404, 10003);
        }
      },
    ],
    [
      "another method returns 405 with 10006, for each of the 27 calls",
      async ({ client }) => {
        for (const { path, method } of calls) {
          const other = method === "GET" ? { method: "POST", body: {} } : { method: "GET" };
          assertResponse(await client.send(path, other), 405, 10006);
          assertResponse(await client.send(path, { method: "PUT", body: {} }), 405, 10006);
        }
      },
    ],
    [
      "malformed JSON returns 400 with 10002, before the session is checked",
      async ({ client }) => {
        for (const { path } of posts) assertResponse(await client.send(path, { body: '{"a":' }), 400, 10002);
      },
    ],
    [
      "a body over 64 KB returns 413 with 10002",
      async ({ client }) => {
        const body = { username: "x".repeat(66_000) };
        for (const { path } of [contract.sendCode, contract.goodsInfo])
          assertResponse(await client.send(path, { body }), 413, 10002);
      },
    ],
    [
      "a body of 64 KB is accepted",
      async ({ client }) => {
        const { status, envelope, text } = await client.send(contract.regionInfo.path, {
          body: { region_code: "", more: "x".repeat(65_000) },
        });
        assert(status === 200 && envelope?.code === 1, `the call returned ${formatResponse(status, text)}`);
      },
    ],
    [
      "a body of another content type returns 415 with 10002",
      async ({ client }) => {
        const headers = { "content-type": "application/x-www-form-urlencoded" };
        for (const { path } of posts.slice(0, 3)) assertResponse(await client.send(path, { body: "a=b", headers }), 415, 10002);
      },
    ],
    [
      "a page of another origin may not read responses",
      async ({ client }) => {
        for (const origin of ["https://elsewhere.example", "null"]) {
          const { headers } = await client.send(contract.goodsLists.path, { headers: { origin } });
          const allowed = headers.get("access-control-allow-origin");
          assert(allowed !== "*" && allowed !== origin, `Access-Control-Allow-Origin is ${allowed} for ${origin}`);
        }
      },
    ],
    [
      "the site's pages may call from their own origin",
      async ({ client, siteOrigin }) => {
        if (!siteOrigin) throw new CheckSkipped("the origin of the site is missing (--site-origin)");
        const requestHeaders = {
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type,device-type,token",
        };
        const preflight = await fetch(client.origin + contract.sendCode.path, {
          method: "OPTIONS",
          headers: { origin: siteOrigin, ...requestHeaders },
        });
        assert(preflight.ok, `the preflight returned HTTP ${preflight.status}`);
        assertEqual(
          preflight.headers.get("access-control-allow-origin"),
          siteOrigin,
          "Access-Control-Allow-Origin of the preflight",
        );
        const allowed = (preflight.headers.get("access-control-allow-headers") ?? "").toLowerCase();
        for (const name of ["content-type", "device-type", "token"])
          assert(allowed.includes(name), `the header ${name} is not allowed`);
        for (const call of [contract.goodsLists, contract.userInfo]) {
          const { headers } = await client.call(call, undefined, { headers: { origin: siteOrigin } });
          assertEqual(headers.get("access-control-allow-origin"), siteOrigin, `Access-Control-Allow-Origin of ${call.path}`);
        }
      },
    ],
  ],
};

const han = /\p{Script=Han}/u;

export const language: Group = {
  name: "language",
  checks: [
    [
      "msg is in the requested language",
      async ({ client }) => {
        for (const call of [contract.userInfo, contract.goodsInfo, contract.goodsLists]) {
          const zh = await client.call(call, {}, { locale: "zh-CN" });
          const en = await client.call(call, {}, { locale: "en-US" });
          assert(han.test(zh.envelope?.msg ?? ""), `${call.path} has the msg "${zh.envelope?.msg}" in Chinese`);
          assert(!han.test(en.envelope?.msg ?? "汉"), `${call.path} has the msg "${en.envelope?.msg}" in English`);
        }
      },
    ],
    [
      "an unknown language returns English",
      async ({ client }) => {
        const en = await client.call(contract.userInfo, {}, { locale: "en-US" });
        const other = await client.call(contract.userInfo, {}, { locale: "fr" });
        assertEqual(other.envelope?.msg, en.envelope?.msg, "msg for fr");
      },
    ],
    [
      "texts of the server are in the requested language, all other data is equal",
      async ({ client }) => {
        const zh = await client.data(contract.goodsLists, undefined, { locale: "zh-CN" });
        const en = await client.data(contract.goodsLists, undefined, { locale: "en-US" });
        const facts = (data: typeof zh) => data.list.map(({ goods_uid, price_fen }) => [goods_uid, price_fen]);
        assertEqual(facts(zh), facts(en), "the list of goods in Chinese");
        assert(
          zh.list.some(({ title }, n) => title !== en.list[n]?.title),
          "no title of goods differs between the languages",
        );
      },
    ],
    [
      "no response repeats the payload",
      async ({ client }) => {
        for (const call of [
          contract.sendCode,
          contract.goodsInfo,
          contract.packageInfo,
          contract.regionInfo,
          contract.getPlan,
        ]) {
          const marked = { username: "<mark>", goods_uid: "<mark>", uid: "<mark>", region_code: "<mark>", id: "<mark>" };
          const { text } = await client.call(call, marked);
          assert(!text.includes("mark"), `${call.path} repeats its payload`);
        }
      },
    ],
  ],
};
