import type { RequestListener } from "node:http";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { concertPlans, members } from "#server/db/schema/member.ts";
import { contract } from "#src/api/contract.ts";
import { readTable } from "#tests/support/content/table.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import { createTestServer } from "#tests/support/processes/test-server.ts";
import { createConcertMember, startStubBackend } from "#tests/support/stubs/concert-backend.ts";

let end = async () => {};
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(async () => {
  vi.restoreAllMocks();
  await end();
  end = async () => {};
});

async function withStubBackend(response: RequestListener) {
  const backend = await startStubBackend(response);
  end = backend.close;
  const server = await createTestServer("PGlite", { env: { CONCERT_ORIGIN: backend.origin } });
  return { backend, ...(await createConcertMember(server)) };
}

const respond: RequestListener = (_request, response) => response.end('{"data":{"IsPlan":true,"Secret":1},"other":2}');

describeOnEngines("the concert plan on %s", (engine) => {
  it("is each member's own, and stored once when joined 20 times at once", async () => {
    const server = await createTestServer(engine);
    const [{ call, plan }, other] = [await createConcertMember(server), await createConcertMember(server)];
    await Promise.all(Array.from({ length: 20 }, () => plan({ Id: 1001, IsPlan: true, MemberId: "someone" })));
    const { info } = await call(contract.userInfo);
    expect(await server.db.select().from(concertPlans).where(eq(concertPlans.memberId, info.id))).toHaveLength(1);
    expect([await plan({ Id: 1001 }), await other.plan({ Id: 1001 })]).toEqual([true, false]);
  });
});

describe("a forwarded concert call", () => {
  it("reaches the concert back end with the contract's path, headers and fields only", async () => {
    const { backend, forwardCall, tokens } = await withStubBackend(respond);
    const response = await forwardCall({
      request_url: "/api/concert/setplan",
      request_data: { Id: 1001, IsPlan: true, More: "x" },
    });
    expect(response.data).toEqual({ response_data: '{"data":{"IsPlan":true}}' });
    expect(backend.requests).toHaveLength(1);
    expect(backend.requests[0]).toMatchObject({
      url: "/api/concert/setplan",
      method: "POST",
      body: '{"Id":1001,"IsPlan":true}',
      headers: { "content-type": "application/json", authorization: `Bearer ${tokens.app_user_token}` },
    });
  });

  it("is about the plan 1001 when its data have no Id", async () => {
    const { backend, call, forwardCall } = await withStubBackend(respond);
    await forwardCall({ request_url: "/api/concert/setplan", request_data: { IsPlan: true } });
    await forwardCall({ request_data: {} });
    expect(backend.requests.map(({ body }) => body)).toEqual(['{"Id":1001,"IsPlan":true}', '{"Id":1001}']);
    expect(await call(contract.getPlan, {})).toEqual({});
  });

  const responses: [string, RequestListener][] = [
    ["500", (_request, response) => response.writeHead(500).end('{"data":{"IsPlan":true}}')],
    ["404", (_request, response) => response.writeHead(404).end("{}")],
    ["a redirect", (_request, response) => response.writeHead(307, { location: "/api/concert/getplan?again" }).end()],
    ["HTML", (_request, response) => response.end("<!doctype html><title>Sign in</title>")],
    ["an empty body", (_request, response) => response.end()],
    ["broken JSON", (_request, response) => response.end('{"data":{"IsPlan":tr')],
    ["null", (_request, response) => response.end("null")],
    ["data of another type", (_request, response) => response.end('{"data":{"IsPlan":"true"}}')],
    ["no data", (_request, response) => response.end('{"IsPlan":true}')],
    ["more than 64 KB", (_request, response) => response.end(`{"data":{"IsPlan":true},"more":"${"x".repeat(70_000)}"}`)],
    ["a broken connection", (request) => request.socket.destroy()],
  ];
  it.each(responses)("returns 10503 when the concert back end responds with %s", async (_what, listener) => {
    const { backend, forwardCall } = await withStubBackend(listener);
    expect(await forwardCall()).toMatchObject({ status: 503, code: 10503, data: null });
    expect(backend.requests).toHaveLength(1);
  });

  it("returns 10503 when the response of the concert back end never ends", { tags: ["full"], timeout: 15_000 }, async () => {
    const { forwardCall } = await withStubBackend((_request, response) => void response.write('{"data":'));
    expect(await forwardCall()).toMatchObject({ status: 503, code: 10503 });
  });

  it("returns 10503 when the concert back end is down", async () => {
    const { backend, forwardCall } = await withStubBackend(respond);
    await backend.close();
    end = async () => {};
    expect(await forwardCall()).toMatchObject({ status: 503, code: 10503 });
  });

  it("does not reach the concert back end when the URL, method, headers or data are invalid", async () => {
    const { backend, forwardCall, token, tokens } = await withStubBackend(respond);
    const authorization = `Bearer ${tokens.app_user_token}`;
    const json = "application/json";
    const targets = hostileTargets(backend.origin, backend.port);
    expect(targets.length).toBeGreaterThanOrEqual(60);
    const hostile: object[] = [
      ...targets.map((request_url) => ({ request_url })),
      ...["GET", "post", "PUT", "DELETE", "CONNECT", "TRACE", "", "POST ", "POST\r\nX: y", "*"].map((request_method) => ({
        request_method,
      })),
      ...[
        {},
        { authorization },
        { "content-type": json },
        { "content-type": "text/plain", authorization },
        { "content-type": `${json}\r\nHost: evil.example`, authorization },
        { "content-type": json, authorization, host: "evil.example" },
        { "content-type": json, authorization, "x-forwarded-for": "127.0.0.1" },
        { "content-type": json, authorization, Authorization: authorization },
        { "content-type": json, authorization: "" },
        { "content-type": json, authorization: tokens.app_user_token },
        { "content-type": json, authorization: `bearer ${tokens.app_user_token}` },
        { "content-type": json, authorization: `${authorization} ` },
        { "content-type": json, authorization: `Bearer ${tokens.chat_token}` },
        { "content-type": json, authorization: `Bearer ${token}` },
        { "content-type": json, authorization: "Bearer null" },
      ].map((request_header) => ({ request_header })),
    ];
    for (const request of hostile) {
      const response = await forwardCall(request);
      expect({ request, status: response.status, code: response.code }).toEqual({ request, status: 200, code: 10006 });
    }
    for (const request_data of [{ Id: "1001" }, { Id: 1002 }, { Id: null }])
      expect((await forwardCall({ request_data })).code).not.toBe(1);
    expect(backend.connections()).toBe(0);
    // Only the valid call reaches the stub.
    expect((await forwardCall()).code).toBe(1);
    expect(backend.requests.map(({ url }) => url)).toEqual(["/api/concert/getplan"]);
  });

  it("does not reach the concert back end with another member's token or for a member who is not activated", async () => {
    const { backend, forwardCall } = await withStubBackend(respond);
    const server = await createTestServer("PGlite", { env: { CONCERT_ORIGIN: backend.origin } });
    const [one, other] = [await createConcertMember(server), await createConcertMember(server)];
    const header = (token: string | null) => ({
      request_header: { "content-type": "application/json", authorization: `Bearer ${token}` },
    });
    expect((await one.forwardCall(header(other.tokens.app_user_token))).code).toBe(10006);
    const idle = await createConcertMember(server, "13800138001");
    expect((await idle.forwardCall(header(one.tokens.app_user_token))).code).toBe(10006);
    expect((await idle.forwardCall(header("null"))).code).toBe(10006);
    // Deactivated after the token was issued.
    await server.db.update(members).set({ activated: false });
    expect((await one.forwardCall()).code).toBe(10006);
    expect(backend.connections()).toBe(0);
    // The session belongs to a database that was reset.
    expect((await forwardCall()).code).toBe(10001);
  });
});

function hostileTargets(origin: string, port: number): string[] {
  const names = { plan: "/api/concert/getplan", origin, host: `127.0.0.1:${port}`, port: String(port) };
  const listed = readTable(join(import.meta.dirname, "hostile-targets.txt")).map(([line = ""]): string =>
    JSON.parse(`"${line}"`).replace(/\{(plan|origin|host|port)\}/g, (_: string, name: keyof typeof names) => names[name]),
  );
  return ["", "#", "a".repeat(20_000), ...listed];
}
