import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { activities, bookings, campaigns } from "#server/db/schema/booking.ts";
import { goods } from "#server/db/schema/catalogue.ts";
import { members, memberships } from "#server/db/schema/member.ts";
import { orderItems, orders } from "#server/db/schema/order.ts";
import { contract } from "#src/api/contract.ts";
import type { Catalogue } from "#src/content/catalogue.ts";
import { client } from "#tests/support/client/client.ts";
import { createBuyer } from "#tests/support/client/order.ts";
import { findEntry, openCatalogue } from "#tests/support/database/catalogue.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import { createTestServer, type TestServer } from "#tests/support/processes/test-server.ts";

const day = 86_400_000;

async function demo(server: TestServer) {
  const token = await server.logIn("13800138000");
  const [member] = await server.db.select().from(members).where(eq(members.account, "demo"));
  if (!member) throw new Error("no demo member");
  return { token, memberId: member.id };
}

async function hold(server: TestServer, memberId: string, packageUid: string, daysLeft: number) {
  const expiresAt = new Date(server.now().getTime() + daysLeft * day);
  const startedAt = new Date(expiresAt.getTime() - 365 * day);
  await server.db
    .insert(memberships)
    .values({ memberId, packageUid, startedAt, expiresAt })
    .onConflictDoUpdate({ target: memberships.memberId, set: { packageUid, startedAt, expiresAt } });
  return expiresAt;
}

describeOnEngines("the catalogue on %s", (engine) => {
  it("returns an item or a package by its uid only", async () => {
    const server = await createTestServer(engine);
    const { call, error } = client(server);
    const { info, postage } = await call(contract.goodsInfo, { goods_uid: "tote" });
    expect(info).toMatchObject({ title: "Setlist tote", specs: [], limit_per_member: 5 });
    expect(info.skus).toEqual([{ sku_uid: "tote", values: [], pay_fen: 9800, stock: 240 }]);
    expect(postage).toEqual({ fen: 1200, free_from_fen: 19_900 });
    const pass = await call(contract.packageInfo, { uid: "regular" });
    expect(pass).toMatchObject({ info: { level: 2, days: 365, free_postage: true }, preview: null });
    for (const uid of ["nothing", "VINYL", "listener", "-"]) {
      expect(await error(contract.goodsInfo, { goods_uid: uid })).toBe(10003);
    }
    expect(await error(contract.packageInfo, { uid: "vinyl" })).toBe(10003);
    for (const uid of ["", "a b", "a".repeat(65), "\0", 7, null]) {
      expect(await error(contract.goodsInfo, { goods_uid: uid })).toBe(10002);
    }
  });

  it("returns an item that is not on sale by its uid and omits it from the list", async () => {
    const server = await createTestServer(engine);
    await server.db.update(goods).set({ onSale: false }).where(eq(goods.uid, "print"));
    const { call } = client(server);
    expect((await call(contract.goodsLists)).list).toHaveLength(9);
    expect((await call(contract.goodsInfo, { goods_uid: "print" })).info.on_sale).toBe(false);
  });

  it("subtracts open orders from a member's limit and returns free postage for a membership that includes it", async () => {
    const server = await createTestServer(engine);
    const { token, memberId } = await demo(server);
    const at = server.now();
    const order = (orderSn: string, closed: boolean) => ({
      orderSn,
      memberId,
      kind: "goods" as const,
      goodsFen: 26_800,
      postageFen: 0,
      payFen: 26_800,
      createdAt: at,
      payExpireAt: at,
      address: { name: "a", mobile: "b", region_code: "1", province: both, city: both, district: both, detail: "d" },
      ...(closed
        ? { status: "closed" as const, closedAt: at, closeReason: "expired" as const }
        : { status: "pending" as const }),
    });
    const both = { "zh-CN": "", "en-US": "" };
    const image = { url: "", width: 1, height: 1, alt: "" };
    const line = {
      uid: "vinyl",
      title: both,
      spec: both,
      image: { "zh-CN": image, "en-US": image },
      payFen: 26_800,
      quantity: 1,
    };
    await server.db.insert(orders).values([order("M26010203040500000000", false), order("M26010203040500000001", true)]);
    await server.db.insert(orderItems).values([
      { orderSn: "M26010203040500000000", ...line },
      { orderSn: "M26010203040500000001", ...line },
    ]);
    const vinyl = (options = { token }) => client(server).call(contract.goodsInfo, { goods_uid: "vinyl" }, options);
    expect((await vinyl()).info.limit_per_member).toBe(1);
    expect((await vinyl({ token: "" })).info.limit_per_member).toBe(2);
    await hold(server, memberId, "listener", 10);
    expect((await vinyl()).postage).toEqual({ fen: 1200, free_from_fen: 19_900 });
    await hold(server, memberId, "regular", 10);
    expect((await vinyl()).postage).toEqual({ fen: 0, free_from_fen: 0 });
    server.advanceClock(5 * 86_400);
    expect((await vinyl()).postage.fen).toBe(0);
    server.advanceClock(5 * 86_400);
    expect((await vinyl()).postage.fen).toBe(1200);
  });

  it("shows a membership with its title in the requested language, until it expires", async () => {
    const server = await createTestServer(engine);
    const { token, memberId } = await demo(server);
    const expires_at = (await hold(server, memberId, "regular", 100)).toISOString();
    const user = (await client(server, { token, locale: "zh-CN" }).call(contract.userInfo)).info;
    expect(user.membership).toEqual({ package_uid: "regular", level: 2, title: "常客证", expires_at });
    server.advanceClock(100 * 86_400);
    const later = client(server, { token: await server.logIn("13800138000") });
    expect((await later.call(contract.packageInfo, { uid: "regular" })).preview?.current_expires_at).toBeNull();
    expect((await later.call(contract.userInfo)).info.membership).toBeNull();
  });

  it("derives an activity's status from the clock, and returns the campaign that closes next", async () => {
    const server = await createTestServer(engine);
    const { call, send } = client(server);
    const status = async (uid: string) =>
      (await call(contract.activityInfo)).list.find(({ activity_uid }) => activity_uid === uid)?.status;
    const [row] = await server.db.select().from(activities).where(eq(activities.uid, "entrance"));
    if (!row) throw new Error("no activity");
    server.advanceClock((row.closesAt.getTime() - server.now().getTime()) / 1000 - 1);
    expect(await status("entrance")).toBe("open");
    server.advanceClock(1);
    expect(await status("entrance")).toBe("closed");
    const title = { "zh-CN": "秋", "en-US": "Autumn" };
    await server.db.insert(campaigns).values({ uid: "old", title, opensAt: new Date(0), closesAt: new Date(day) });
    expect((await call(contract.bookingInfo)).campaign.uid).toBe("spring");
    server.advanceClock(400 * 86_400);
    expect((await call(contract.bookingInfo)).campaign.uid).toBe("spring");
    await server.db.delete(bookings);
    await server.db.delete(campaigns);
    expect(await send(contract.bookingInfo)).toMatchObject({ status: 200, code: 10003 });
  });

  it("takes gone passes, shows, tours and stops off sale, and keeps what is booked", async () => {
    const server = await createTestServer(engine);
    const { change } = await openCatalogue(server);
    const [buyer, other] = [await createBuyer(server), await createBuyer(server)];
    const placeAt = (stop: string) => ({ campaign: "spring", stop, name: "小满", mobile: "13800138000", party_size: 2 });
    await buyer.call(contract.activityBooking, { activity_uid: "echo" });
    await buyer.call(contract.makeBooking, placeAt("wuhan"));
    const withdraw = (catalogue: Catalogue) => {
      catalogue.packages = catalogue.packages.filter(({ uid }) => uid !== "listener");
      catalogue.activities = catalogue.activities.filter(({ uid }) => uid !== "echo");
      const tour = findEntry(catalogue.campaigns, "spring");
      tour.stops = tour.stops.filter(({ stop }) => stop !== "wuhan");
    };
    expect((await change("apply", withdraw)).text).toMatch(
      /^package\/listener is no longer in .* off sale\nevent\/echo is no longer in .* off sale\ncampaign\/spring stops: /m,
    );
    expect((await other.sendPackageOrder()).code).toBe(30004);
    expect(await other.error(contract.activityBooking, { activity_uid: "echo" })).toBe(50003);
    expect(await other.error(contract.makeBooking, placeAt("wuhan"))).toBe(50003);
    const { booking, campaign } = await buyer.call(contract.bookingInfo);
    expect([booking?.stop, campaign.stops.find(({ stop }) => stop === "wuhan")?.places_left]).toEqual(["wuhan", 0]);
    const { text } = await change("apply", (catalogue) => void Object.assign(catalogue, { campaigns: [] }));
    expect(text).toMatch(/^campaign\/spring is no longer in the files: it goes off sale$/m);
    expect(await other.error(contract.makeBooking, placeAt("chengdu"))).toBe(50003);
    await change("apply", () => {});
    for (const stop of ["wuhan", "chengdu"]) await other.call(contract.makeBooking, placeAt(stop));
    await other.call(contract.activityBooking, { activity_uid: "echo" });
    expect((await other.sendPackageOrder()).code).toBe(1);
  });
});
