import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { contract } from "#src/api/contract.ts";
import { client, expectEnvelope } from "#tests/support/client/client.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import { createTestServer } from "#tests/support/processes/test-server.ts";

const gzipped = new Blob([gzipSync('{"username":"demo"}')]);
const json = { "content-type": "application/json" };

describeOnEngines("HTTP transport on %s", (engine) => {
  it.each([
    ["invalid UTF-8", { body: new Blob(['{"username":"', new Uint8Array([0xff, 0xfe]), '"}']) }, 400, 10002],
    ["a compressed body", { body: gzipped, headers: { "content-encoding": "gzip" } }, 415, 10002],
    ["another charset", { body: "{}", headers: { "content-type": "application/json; charset=latin1" } }, 415, 10002],
    ["a missing content type", { body: '{"username":"demo"}', headers: { "content-type": "" } }, 415, 10002],
    [
      "a body over 64 KB of another content type",
      { body: "x".repeat(65_537), headers: { "content-type": "text/plain" } },
      413,
      10002,
    ],
    ["DELETE", { method: "DELETE" }, 405, 10006],
    ["OPTIONS without a preflight header", { method: "OPTIONS" }, 405, 10006],
  ])("returns the right status and an envelope for %s", async (_what, request, status, code) => {
    const response = await (await createTestServer(engine)).request(contract.sendCode.path, request);
    expect(response).toMatchObject({ status, code, data: null });
    expectEnvelope(response);
    expect(response.headers.get("allow")).toBe(status === 405 ? "POST" : null);
  });

  it("accepts charset=utf-8", async () => {
    const headers = { "content-type": "Application/JSON; charset=UTF-8" };
    const server = await createTestServer(engine);
    expect((await server.request(contract.goodsInfo.path, { body: '{"goods_uid":"tote"}', headers })).code).toBe(1);
  });

  it("responds to HEAD like GET without a body, and lists the allowed methods", async () => {
    const server = await createTestServer(engine);
    expect(await server.request(contract.goodsLists.path, { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
    const response = await server.request(contract.goodsLists.path, { body: {} });
    expect(response).toMatchObject({ status: 405, code: 10006 });
    expect(response.headers.get("allow")).toBe("GET, HEAD");
  });

  it("names invalid fields in the requested language", async () => {
    const server = await createTestServer(engine);
    const payload = { username: "1380013800", verification_code: "12345" };
    const { send } = client(server);
    const zh = await send(contract.login, payload, { locale: "zh-CN" });
    expect(zh).toMatchObject({ status: 200, code: 10002, msg: "有几处没填对" });
    expect(zh.data).toEqual({ fields: { username: "要大陆手机号，或账号名", verification_code: "6 位数字，在短信里" } });
    expect(zh.headers.get("content-language")).toBe("zh-CN");
    const foreign = { ...payload, username: "1 (415) 555-2671", verification_code: "１２３ 456" };
    expect((await send(contract.login, foreign, { locale: "zh-CN" })).data).toEqual({
      fields: { username: "现在只能用中国大陆的手机号，11 位" },
    });
    expect((await send(contract.login, foreign)).data).toEqual({
      fields: { username: "Only mainland Chinese numbers for now: 11 digits" },
    });
    const en = await send(contract.login, {}, { locale: "fr" });
    expect(en.data).toEqual({ fields: { username: "Needed", verification_code: "Needed" } });
    expect(en.headers.get("content-language")).toBe("en-US");
  });

  it("allows cross-origin requests exactly from SITE_ORIGINS", async () => {
    const env = { SITE_ORIGINS: "https://shop.example, http://localhost:4322" };
    const server = await createTestServer(engine, { env });
    const preflightHeaders = {
      origin: "https://shop.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "device-type,token,content-type",
    };
    const preflight = await server.request(contract.sendCode.path, { method: "OPTIONS", headers: preflightHeaders });
    expect(preflight).toMatchObject({ status: 204, text: "" });
    expect(preflight.headers.get("access-control-allow-origin")).toBe("https://shop.example");
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, POST");
    expect(preflight.headers.get("access-control-allow-headers")?.split(", ").sort()).toEqual([
      "accept-language",
      "content-type",
      "device-type",
      "token",
    ]);
    const response = await server.request(contract.goodsLists.path, { headers: { origin: "http://localhost:4322" } });
    expect(response.headers.get("access-control-allow-origin")).toBe("http://localhost:4322");
    expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(response.headers.get("vary")).toMatch(/Origin/);
    const refused = await server.request(contract.sendCode.path, {
      body: "{",
      headers: { origin: "https://shop.example", ...json },
    });
    expect(refused.headers.get("access-control-allow-origin")).toBe("https://shop.example");
    for (const origin of [
      "https://shop.example.evil",
      "http://shop.example",
      "https://shop.example:444",
      "null",
      "https://SHOP.example",
      "https://shop.example/",
    ]) {
      const other = await server.request(contract.goodsLists.path, { headers: { origin } });
      expect(other.headers.get("access-control-allow-origin")).toBeNull();
      expect(other.headers.get("cross-origin-resource-policy")).toBe("same-origin");
      const refusedPreflight = await server.request(contract.sendCode.path, {
        method: "OPTIONS",
        headers: { ...preflightHeaders, origin },
      });
      expect(refusedPreflight.status).toBe(405);
      expect(refusedPreflight.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("limits the requests per minute of one address, with retry-after, without affecting another address", async () => {
    const server = await createTestServer(engine, { env: { FLOOD_PER_MINUTE: "10" } });
    const requestUnknown = (from: string) => server.request("/v1/nothing", { from });
    for (let n = 0; n < 10; n += 1) expect((await requestUnknown("192.0.2.7")).status).toBe(404);
    server.advanceClock(20);
    const response = await requestUnknown("192.0.2.7");
    expect(response).toMatchObject({ status: 429, code: 10004, data: { retry_after: 40 } });
    expect(response.headers.get("retry-after")).toBe("40");
    expectEnvelope(response);
    expect((await requestUnknown("192.0.2.8")).status).toBe(404);
    server.advanceClock(40);
    expect((await requestUnknown("192.0.2.7")).status).toBe(404);
  });

  it("takes no request id from the client", async () => {
    const server = await createTestServer(engine);
    const response = await server.request(contract.goodsLists.path, { headers: { "x-request-id": "chosen-by-client" } });
    expect(response.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
  });
});
