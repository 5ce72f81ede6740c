// @module-tag full
// @module-tag long
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { contract } from "#src/api/contract.ts";
import { isEnvelope } from "#src/api/envelope.ts";
import { createBuyer } from "#tests/support/client/order.ts";
import { address, payloads } from "#tests/support/contract/payloads.ts";
import { copyRows, describeOnEngines, hashRows, hasPostgres, type RowCopies } from "#tests/support/database/database.ts";
import { stopServersAndRemoveFolders } from "#tests/support/processes/child-process.ts";
import { createTestServer, type TestServer } from "#tests/support/processes/test-server.ts";
import {
  buyConcurrently,
  dropConstraint,
  factor,
  failsOnce,
  scarceResources,
  type TwoServers,
  twoServers,
} from "#tests/support/races/load.ts";

const limit = "1000000";
const hostileValue = fc.constantFrom<unknown>(
  "\0",
  "\ud800",
  "' or '1'='1",
  "a".repeat(5000),
  -0,
  2 ** 31,
  2 ** 53,
  -1,
  1e308,
  null,
  true,
  [],
  {},
  "",
  "１２３",
  "__proto__",
);
const anything = fc.oneof(hostileValue, fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: "binary" }), fc.double());

/** Replaces, removes or adds one or two values of a valid payload, at any depth. */
function mutated(payload: object): fc.Arbitrary<string> {
  const change = fc.tuple(fc.nat(20), fc.constantFrom("replace", "drop", "wrap", "add"), anything);
  return fc.array(change, { minLength: 1, maxLength: 2 }).map((changes) => {
    const copy: unknown = structuredClone(payload);
    for (const [index, kind, value] of changes) mutate(copy, index, kind, value);
    return JSON.stringify(copy) ?? "";
  });
}

function mutate(root: unknown, index: number, kind: string, value: unknown): void {
  const targets: [Record<string, unknown>, string][] = [];
  const walk = (node: unknown) => {
    if (typeof node !== "object" || node === null) return;
    const record: Record<string, unknown> = Object(node);
    for (const key of Object.keys(record)) {
      targets.push([record, key]);
      walk(record[key]);
    }
  };
  walk(root);
  const target = targets[index % Math.max(1, targets.length)];
  if (!target) return;
  const [record, key] = target;
  if (kind === "drop") delete record[key];
  else if (kind === "add") record[`${key}2`] = value;
  else record[key] = kind === "wrap" ? [record[key]] : value;
}

const body = (payload: object) =>
  fc.oneof(
    { weight: 5, arbitrary: mutated(payload) },
    { weight: 2, arbitrary: anything.map((value) => JSON.stringify(value) ?? "") },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  );

/** Fuzzes every call with `bodies` bodies on each engine. */
function fuzzAll(bodies: number): void {
  describeOnEngines("fuzzing on %s", (engine) => {
    let server: TestServer;
    let token: string;
    let placeholders: Record<string, string>;
    let rows: string;
    let copy: RowCopies;
    beforeAll(async () => {
      const limits = {
        CODE_TRIES: "100",
        CODES_PER_HOUR: limit,
        CODES_PER_DAY: limit,
        CODES_PER_HOUR_PER_IP: limit,
        CODES_PER_HOUR_HOST: limit,
      };
      server = await createTestServer(engine, { env: limits });
      const mobile = "13800138000";
      const buyer = await createBuyer(server, mobile);
      token = buyer.token;
      const { list } = await buyer.call(contract.addressAdd, address);
      placeholders = {
        "{address}": buyer.address_id,
        "{other address}": list.find(({ address_id }) => address_id !== buyer.address_id)?.address_id ?? "",
        "{order}": await buyer.order(),
        "{pass}": await buyer.orderPackage(),
        "{app token}": (await buyer.call(contract.userToken)).app_user_token ?? "",
      };
      await buyer.call(contract.activityBooking, { activity_uid: "slow" });
      await buyer.call(contract.makeBooking, { campaign: "spring", stop: "wuhan", name: "小满", mobile, party_size: 1 });
      server.advanceClock(server.config.CODE_RESEND_SECONDS);
      placeholders["{code}"] = (await server.requestCode("demo")) ?? "";
      rows = await hashRows(server.db);
      copy = await copyRows(server.db, "before");
    });
    afterAll(() => copy.drop());
    const fillPlaceholders = (text: string) => text.replace(/\{[a-z ]+\}/g, (index) => placeholders[index] ?? index);

    it("covers every call of the contract", async () => {
      const served = new Set<string>();
      for (const { path, method } of Object.values(contract)) {
        if ((await server.request(path, { method })).status !== 404) served.add(path);
      }
      const callsWithoutPayload = [...served].filter((path) => !(path in payloads));
      expect(callsWithoutPayload, "add a good payload for each of these to tests/support/contract/payloads.ts").toEqual([]);
      expect(Object.keys(payloads).filter((path) => !served.has(path))).toEqual([]);
    });

    const calls = Object.values(contract).filter(({ path }) => path in payloads);
    it.each(calls.map((call) => [call.path, call] as const))(
      `%s returns no 5xx and writes nothing when it refuses, in ${bodies} requests`,
      async (path, call) => {
        const codes = new Map<number, number>();
        const check = async (template: string, header: string) => {
          const content = fillPlaceholders(template);
          // A GET has no body: its query and its token are fuzzed instead.
          const request = call.method === "POST" ? { body: content, method: "POST" } : {};
          const query = call.method === "GET" ? `?${encodeURIComponent(content.replace(/\p{Cs}/gu, ""))}` : "";
          const response = await server.request(path + query, { ...request, token: header });
          if (response.status >= 500 || !isEnvelope(JSON.parse(response.text)))
            throw new Error(`${response.status} ${response.text}`);
          // Restores the rows, so that a refused call cannot hide behind rows of an accepted one.
          if (response.code === 1) await copy.restore();
          else if ((await hashRows(server.db)) !== rows)
            throw new Error(`refused with ${response.code}, but written: ${content}`);
          codes.set(response.code, (codes.get(response.code) ?? 0) + 1);
        };
        const header = fc.oneof(
          { weight: 4, arbitrary: fc.constant(token) },
          { weight: 1, arbitrary: fc.string({ maxLength: 60 }).map((text) => text.replace(/[^\x21-\x7e]/g, "x")) },
        );
        const good = payloads[path] ?? {};
        const examples: [string, string][] = [[JSON.stringify(good), token]];
        await fc.assert(fc.asyncProperty(body(good), header, check), { numRuns: bodies, examples });
        // Neither all requests are refused, nor all accepted.
        expect([...codes.keys()], "the good payload is refused").toContain(1);
        if (call.method === "POST") expect(codes.size).toBeGreaterThan(1);
        const [row] = await server.db.select({ result: sql<number>`result` }).from(sql`(select 1 as result) as probe`);
        expect(row?.result).toBe(1);
      },
      90_000,
    );
  });
}

const buyers = 50 * factor;
const names = ["goods", "packages", "seats", "places"] as const;
describe.skipIf(!hasPostgres)(`${buyers} concurrent buyers at two servers on one PostgreSQL`, () => {
  let servers: TwoServers;
  beforeAll(async () => {
    servers = await twoServers();
  });
  afterEach(() => servers.checkLedger());
  afterAll(stopServersAndRemoveFolders);

  it.each(names.flatMap((name) => [1, 10, 5 * factor].map((last) => [name, last] as const)))(
    "do not oversell the last %s (%i left)",
    async (name, last) => {
      // Wuhan has 60 places in the seed.
      if (name === "places") await servers.query(`update stops set capacity = ${buyers + 100} where stop = 'wuhan'`);
      expect(await buyConcurrently(servers, name, last, buyers)).toEqual({
        served: last,
        soldOut: buyers - last,
        other: 0,
        left: 0,
        taken: last,
      });
    },
  );
});

describe.skipIf(!hasPostgres)("concurrent buyers without the guarding clause", () => {
  let servers: TwoServers;
  beforeAll(async () => {
    // Each resource has its own guard.
    servers = await twoServers(["stock-enough", "seats-enough", "places-enough"]);
  });
  afterAll(stopServersAndRemoveFolders);

  it("get an error from the database constraint instead of overselling", async () => {
    const isRefused = async () => {
      const { served, other, left, taken } = await buyConcurrently(servers, "goods", 10, buyers);
      expect([served, left, taken]).toEqual([10, 0, 10]);
      return other > 0;
    };
    expect(await failsOnce(isRefused)).toBe(true);
  });

  it.each(names)("oversell %s when the database constraint is dropped too", async (name) => {
    await dropConstraint(servers, scarceResources[name].constraint);
    const isOversold = async () => {
      const { served, left, taken } = await buyConcurrently(servers, name, 10, buyers);
      expect([left, taken]).toEqual([10 - served, served]);
      return served > 10;
    };
    expect(await failsOnce(isOversold)).toBe(true);
  });
});

fuzzAll(100 * factor);
