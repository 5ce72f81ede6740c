import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { createSeller, findReports, parcel } from "#tests/support/client/shipping.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";
import { createTestServer } from "#tests/support/processes/test-server.ts";
import { failsOnce } from "#tests/support/races/load.ts";
import type { Mutation } from "#tests/support/races/mutations.ts";

const servers = prepareWechatServers();

/** Creates a seller whose server runs changed sources, and another server on the same database. */
async function createPair(engine: Engine, mutations: Mutation[], others: Mutation[] = []) {
  const seller = await createSeller(servers(), engine, mutations);
  const env = { ...servers().wechat.env, HOST_ORIGIN: "https://shop.test" };
  const second = await createTestServer(engine, { env, db: seller.server.db, mutations: others });
  return { ...seller, second };
}

/** Lets two processes send the report of a parcel, and of its correction, four times at once. Returns whether each is sent once. */
async function sendAtOnce(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { buy, buyPass, stub, ship, server, second } = await createPair(engine, removed, removed);
  const [sn, pass] = [await buy(), await buyPass()];
  await server.runScheduler();
  for (const tracking of ["YT1", "YT2"]) {
    server.advanceClock(60);
    second.advanceClock(60);
    // WeChat answers once all of them ask.
    servers().wechat.behaviour.gate = setTimeout(300);
    const shipping = ship(sn, ...parcel(tracking));
    await Promise.all([server, second, server, second].map((one) => one.runScheduler()));
    await shipping;
    await Promise.all([server, second].map((one) => one.runScheduler()));
  }
  const uploads = stub.requests.uploads.map(({ order_key, shipping_list }) => [
    order_key.out_trade_no,
    shipping_list[0]?.tracking_no ?? "",
  ]);
  const expected = [
    [sn, "YT1"],
    [sn, "YT2"],
    [pass, ""],
  ];
  const rows = [...(await findReports(server, sn)), ...(await findReports(server, pass))];
  return String(uploads.sort()) === String(expected.sort()) && rows.every(({ state }) => state === "accepted");
}

describeOnEngines(
  "two servers on one %s that report to WeChat",
  (engine) => {
    it("send a report once, and a correction once", async () => {
      for (let round = 0; round < 3; round += 1) expect(await sendAtOnce(engine)).toBe(true);
    });

    it("fail to without the guard", async () => {
      expect(await failsOnce(async () => !(await sendAtOnce(engine, ["report-once"])))).toBe(true);
    });
  },
  { tags: ["full"] },
);

const steps: [step: string, mutation: Mutation, uploads: number][] = [
  ["before it takes the report", "report-killed-unclaimed", 0],
  ["before it asks what WeChat has", "report-killed-claimed", 0],
  ["before it sends", "report-killed-sending", 0],
  ["before it stores the answer", "report-killed-sent", 1],
];

describeOnEngines(
  "a server killed while it reports to WeChat on %s",
  (engine) => {
    it.each(steps)("%s loses nothing, and another one sends nothing twice", async (_, mutation, uploads) => {
      const { buy, ship, stub, server, second } = await createPair(engine, [mutation]);
      const sn = await buy();
      expect(await ship(sn)).toMatch(/^The command failed/);
      expect(stub.requests.uploads).toHaveLength(uploads);
      second.advanceClock(60);
      await second.runScheduler();
      second.advanceClock(60);
      await second.runScheduler();
      expect(await findReports(server, sn)).toMatchObject([{ state: "accepted", isCorrection: false }]);
      expect(stub.requests.uploads).toHaveLength(1);
      expect(stub.shipped.get(sn)).toMatchObject({ count: 1 });
    });

    it("and a correction is not burnt by whoever goes on, unless nobody looks", async () => {
      for (const others of [[], ["report-look"]] satisfies Mutation[][]) {
        const { buy, ship, stub, second } = await createPair(engine, ["report-killed-sent"], others);
        const sn = await buy();
        await ship(sn);
        second.advanceClock(120);
        await second.runScheduler();
        // WeChat answers an identical repeat with 10060023: it is sent all the same.
        expect(stub.requests.uploads).toHaveLength(others.length > 0 ? 2 : 1);
      }
    });
  },
  { tags: ["full"] },
);
