import { createSign } from "node:crypto";
import * as v from "valibot";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { signingKeys } from "#server/db/schema/session.ts";
import { contract } from "#src/api/contract.ts";
import { client, clientAt } from "#tests/support/client/client.ts";
import { describeOnEngines, hasPostgres } from "#tests/support/database/database.ts";
import { stopServersAndRemoveFolders } from "#tests/support/processes/child-process.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";
import { createLoadUsers, failsOnce, type TwoServers, twoServers } from "#tests/support/races/load.ts";
import { createConcertMember } from "#tests/support/stubs/concert-backend.ts";
import { startWithVerifyingBackend } from "#tests/support/stubs/verifying-backend.ts";

const day = 24 * 3600;
const keySet = v.object({
  keys: v.array(
    v.strictObject({
      kty: v.literal("EC"),
      crv: v.literal("P-256"),
      x: v.string(),
      y: v.string(),
      kid: v.string(),
      alg: v.literal("ES256"),
      use: v.literal("sig"),
    }),
  ),
});
const path = "/.well-known/jwks.json";

/** Returns the ids of the published keys. */
async function readKids(server: Pick<TestServer, "request">): Promise<string[]> {
  const { status, text } = await server.request(path);
  expect(status).toBe(200);
  return v.parse(keySet, JSON.parse(text)).keys.map(({ kid }) => kid);
}

const parsePart = (token: string, part: 0 | 1) => JSON.parse(Buffer.from(token.split(".")[part] ?? "", "base64url").toString());
const toPart = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const toHeader = (token: string | null) => ({
  request_header: { "content-type": "application/json", authorization: `Bearer ${token}` },
});

let end = async () => {};
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(async () => {
  vi.restoreAllMocks();
  await end();
  end = async () => {};
});
afterAll(stopServersAndRemoveFolders);

async function open(...options: Parameters<typeof startWithVerifyingBackend>) {
  const opened = await startWithVerifyingBackend(...options);
  end = opened.close;
  return opened;
}

describeOnEngines("a concert back end that knows the address of the key set alone, on %s", (engine) => {
  it("accepts a member's token, and knows the member again after the next login", async () => {
    const { server, backend, shop } = await open(engine);
    const mobile = newMobile();
    const [member, other] = [await createConcertMember(server, mobile), await createConcertMember(server)];
    expect(await member.plan({ Id: 1001, IsPlan: true })).toBe(true);
    expect([await member.plan({ Id: 1001 }), await other.plan({ Id: 1001 })]).toEqual([true, false]);
    await member.call(contract.logout);
    server.advanceClock(60);
    const again = await createConcertMember(server, mobile);
    expect(await again.plan({ Id: 1001 })).toBe(true);
    const token = again.tokens.app_user_token ?? "";
    const { info } = await again.call(contract.userInfo);
    const iat = Math.floor(server.now().getTime() / 1000);
    expect(parsePart(token, 1)).toEqual({ iss: shop, sub: info.id, aud: backend.origin, iat, exp: iat + 300 });
    expect(again.tokens.expires_in).toBe(300);
    expect(await readKids(server)).toContain(parsePart(token, 0).kid);
  });

  it("refuses a token that is changed, has run out, is for another audience, or is signed by another key", async () => {
    const { server, backend, shop } = await open(engine);
    const { tokens, forwardCall } = await createConcertMember(server);
    const token = tokens.app_user_token ?? "";
    const [header = "", claims = "", signature = ""] = token.split(".");
    expect(await backend.findFault(token)).toBeNull();
    const other = await createTestServer(engine, {
      db: server.db,
      env: { HOST_ORIGIN: shop, CONCERT_ORIGIN: "https://other.example" },
    });
    const { tokens: foreign } = await createConcertMember(other);
    const withClaims = (changes: object) => [header, toPart({ ...parsePart(token, 1), ...changes }), signature].join(".");
    const hmacHeader = toPart({ ...parsePart(token, 0), alg: "HS256" });
    const faults: [token: string, fault: RegExp][] = [
      [withClaims({ sub: crypto.randomUUID() }), /signature/],
      [withClaims({ exp: 9_999_999_999 }), /signature/],
      [[toPart({ ...parsePart(token, 0), alg: "none" }), claims, ""].join("."), /signature/],
      [[hmacHeader, claims, signature].join("."), /algorithm/],
      [[toPart({ ...parsePart(token, 0), kid: "unknown" }), claims, signature].join("."), /kid|key/i],
      [[header, claims, [...signature].reverse().join("")].join("."), /signature/],
      [foreign.app_user_token ?? "", /audience/],
    ];
    for (const [wrong, fault] of faults) {
      expect(await backend.findFault(wrong)).toMatch(fault);
      // The server does not forward it either.
      expect((await forwardCall(toHeader(wrong))).code).toBe(10006);
    }
    expect((await forwardCall()).code).toBe(1);
    server.advanceClock(301);
    expect((await forwardCall()).code).toBe(10006);
    // Issued ten minutes ago, by the back end's clock.
    server.advanceClock(-901);
    const { tokens: old } = await createConcertMember(server);
    expect(await backend.findFault(old.app_user_token ?? "")).toMatch(/expired/);
  });

  it("accepts the tokens of one month to the next, each by a key that was published before", async () => {
    const { server, backend } = await open(engine);
    const mobile = newMobile();
    const kids = new Set<string>();
    for (let month = 0; month < 3; month += 1) {
      const published = await readKids(server);
      expect(published.length).toBeLessThanOrEqual(3);
      const { tokens } = await createConcertMember(server, mobile);
      const token = tokens.app_user_token ?? "";
      const { kid } = parsePart(token, 0);
      expect(await backend.findFault(token)).toBeNull();
      if (month > 0) expect(kids.has(kid)).toBe(true);
      for (const one of published) kids.add(one);
      // A token that was signed in the last second of a key is accepted until it ends.
      const now = server.now().getTime() / 1000;
      server.advanceClock(30 * day - (now % (30 * day)) - 1);
      const { call, send } = client(server, { token: await server.logIn(mobile) });
      const last = await call(contract.userToken);
      server.advanceClock(290);
      const payload = { request_url: "/api/concert/getplan", request_method: "POST", request_data: { Id: 1001 } };
      expect((await send(contract.forward, { ...payload, ...toHeader(last.app_user_token) })).code).toBe(1);
      expect(await readKids(server)).toContain(parsePart(last.app_user_token ?? "", 0).kid);
      server.advanceClock(2 * day);
      expect(await readKids(server)).not.toContain(parsePart(last.app_user_token ?? "", 0).kid);
    }
    expect(kids.size).toBeGreaterThanOrEqual(4);
  });
});

describe("the key set", () => {
  it("has no private part, may be stored for minutes, and is not among the files of the site", async () => {
    const server = await createTestServer("PGlite");
    const { headers, text } = await server.request(path);
    expect(headers.get("content-type")).toMatch(/^application\/(jwk-set\+)?json/);
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    expect(text).not.toContain('"d"');
    const rows = await server.db.select().from(signingKeys);
    expect(rows).toHaveLength(2);
    for (const { privateKey } of rows) {
      // Encrypted: five parts, none of them JSON beside the header.
      expect(privateKey.split(".").map((part) => part.length > 0)).toEqual([true, false, true, true, true]);
      const forged = createSign("sha256").update("x");
      expect(() => forged.sign(privateKey)).toThrow();
    }
  });

  it("of servers with another secret key stays published beside their own, whose tokens it does not verify", async () => {
    const server = await createTestServer("PGlite");
    const before = await readKids(server);
    const { db } = server;
    const changed = await createTestServer("PGlite", { db, key: Buffer.alloc(32, 8) });
    expect((await readKids(changed)).sort()).toEqual(expect.arrayContaining(before));
    expect((await createConcertMember(changed)).tokens.app_user_token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(new Set(await readKids(server))).toEqual(new Set(await readKids(changed)));
  });
});

/** Requests key set and tokens at both servers at once, on a database without keys, and returns what is not as it should be. */
async function createKeysAtOnce(servers: TwoServers) {
  await servers.query("delete from signing_keys");
  const [user] = await createLoadUsers(servers.query, 1);
  const fetchKeys = async (n: number) => {
    const response = await fetch(servers.origin(n) + path);
    return { status: response.status, text: await response.text() };
  };
  const fetchToken = async (n: number) => {
    const { data } = await clientAt(servers.origin(n), { token: user?.token ?? "" }).send(contract.userToken, {});
    const token = v.safeParse(contract.userToken.data, data);
    return token.success ? parsePart(token.output.app_user_token ?? "", 0).kid : null;
  };
  const indices = Array.from({ length: 10 }, (_, n) => n);
  const [sets, kids] = await Promise.all([Promise.all(indices.map(fetchKeys)), Promise.all(indices.map(fetchToken))]);
  return {
    failures: sets.filter(({ status }) => status !== 200).length + kids.filter((kid) => kid === null).length,
    distinctSets: new Set(sets.map(({ text }) => text)).size,
    distinctSigners: new Set(kids).size,
    rows: await servers.number("select count(*) from signing_keys"),
  };
}

describe.skipIf(!hasPostgres)("two servers that create their keys at once", { tags: ["full"], timeout: 120_000 }, () => {
  it("publish the same set, and sign by the same key", async () => {
    const servers = await twoServers();
    for (let round = 0; round < 5; round += 1)
      expect(await createKeysAtOnce(servers)).toEqual({ failures: 0, distinctSets: 1, distinctSigners: 1, rows: 2 });
  });

  it("fail without the guard of the name that both derive", async () => {
    const servers = await twoServers(["signing-key-once"]);
    expect(await failsOnce(async () => (await createKeysAtOnce(servers)).failures > 0)).toBe(true);
  });
});
