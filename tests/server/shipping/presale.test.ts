import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { goods } from "#server/db/schema/catalogue.ts";
import { toDay } from "#server/lib/china-time.ts";
import { createSeller } from "#tests/support/client/shipping.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";

const servers = prepareWechatServers();
const day = 86_400;

/** Creates a seller whose item is sent some days later. */
async function createLateSeller(engine: Engine, days: number) {
  const seller = await createSeller(servers(), engine);
  const { db, now } = seller.server;
  // WeChat counts in seconds.
  const shipsAt = new Date(Math.floor(now().getTime() / 1000) * 1000 + days * day * 1000);
  await db.update(goods).set({ shipsAt }).where(eq(goods.uid, "tote"));
  return { ...seller, shipsAt };
}

describeOnEngines("a pre-order on %s", (engine) => {
  it("that is sent more than 15 days after its payment is announced once, and its 48 hours count from then", async () => {
    const { buy, ship, stub, reports, wait, shipsAt, unreported, server } = await createLateSeller(engine, 40);
    const sn = await buy();
    expect(await reports(sn)).toMatchObject([{ kind: "presale", state: "due" }]);
    expect(await server.runOrdersCommand("list")).toContain(`  sent from ${toDay(shipsAt)} on`);
    await wait(60);
    expect(stub.requests.announcements).toEqual([{ order_id: sn, type: 1, delay_to: shipsAt.getTime() / 1000 }]);
    expect(await reports(sn)).toMatchObject([{ state: "accepted" }]);
    await wait(60);
    expect(stub.requests.announcements).toHaveLength(1);
    server.advanceClock(40 * day);
    stub.behaviour.faults.push({ call: "upload_shipping_info", fault: 48001 });
    expect(await ship(sn)).toMatch(/open the management of shipments/);
    expect(await unreported()).toContain(`${sn}  parcel  YTO YT8800000000001  48 h left  refused: `);
  });

  it("that is sent within 15 days is not announced", async () => {
    const { buy, stub, reports, wait } = await createLateSeller(engine, 15);
    const sn = await buy();
    await wait(60);
    expect(await reports(sn)).toEqual([]);
    expect(stub.requests.announcements).toEqual([]);
  });

  it("that is sent later than WeChat takes is listed", async () => {
    const { buy, stub, wait, unreported } = await createLateSeller(engine, 340);
    const sn = await buy();
    await wait(60);
    expect(stub.requests.announcements).toEqual([]);
    expect(await unreported()).toMatch(
      new RegExp(`^${sn}  later date  ships at .*  48 h left  refused: WeChat takes dates up to 330 days`),
    );
  });

  it("is announced again without an answer, and not once it is sent or refunded", async () => {
    const { buy, ship, stub, reports, wait } = await createLateSeller(engine, 40);
    const [first, second] = [await buy(), await buy()];
    stub.behaviour.faults.push({ call: "opspecialorder", fault: "500" }, { call: "opspecialorder", fault: "502 after" });
    await wait(60);
    expect(await reports(first)).toMatchObject([{ state: "sent" }]);
    await ship(first);
    await wait(60);
    await wait(120);
    expect(await reports(first)).toMatchObject([{ state: "void" }, { state: "accepted" }]);
    expect(await reports(second)).toMatchObject([{ state: "accepted" }]);
    expect([...stub.announced.keys()]).toEqual([second]);
  });
});
