import { expect, it } from "vitest";
import { withBuyer } from "#tests/support/client/order.ts";
import { createSeller, parcel } from "#tests/support/client/shipping.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";

const servers = prepareWechatServers();

describeOnEngines("a carrier on %s", (engine) => {
  it.each([
    ["YTO", "YTO"],
    ["yto", "YTO"],
    ["圆通速递", "YTO"],
    ["圆通", "YTO"],
    ["Yunda Express", "YD"],
    ["yunda", "YD"],
    ["J&T", "JTSD"],
    ["京东", "JD"],
    ["顺丰", "SF"],
    ["中通", "ZTO"],
    ["中通快运", "ZTOKY"],
  ])("is taken by its id or a name: %s", async (text, id) => {
    const { buy, ship, stub, server } = await createSeller(servers(), engine);
    await server.runScheduler();
    const sn = await buy();
    expect(await ship(sn, ...parcel("N1", text))).toBe(`${sn} is shipped. WeChat has accepted it.`);
    expect(stub.requests.uploads[0]?.shipping_list[0]?.express_company).toBe(id);
  });

  it("is asked for when several have the name, or none has", async () => {
    const { buy, ship, server, buyer } = await createSeller(servers(), engine);
    await server.runScheduler();
    const sn = await buy();
    expect(await ship(sn, ...parcel("N1", "快运"))).toBe(
      '--carrier: "快运" may be 2 carriers: SFKY 顺丰快运, ZTOKY 中通快运. Give the id.',
    );
    expect(await ship(sn, ...parcel("N1", "飞鸽"))).toBe(
      '--carrier: WeChat has no carrier "飞鸽": npm run orders -- carriers lists those that it has. What you bring yourself is shipped --by-hand.',
    );
    expect((await buyer.info(sn)).status).toBe("paid");
    expect(await server.runOrdersCommand("carriers", "顺丰速")).toBe("SF 顺丰速运");
    expect((await server.runOrdersCommand("carriers")).split("\n")).toHaveLength(9);
    expect(await server.runOrdersCommand("carriers", "飞鸽")).toBe("No carrier has that name.");
  });

  it("is any text before WeChat has sent its list, and is looked for later", async () => {
    const { buy, ship, stub, server, reports, wait, unreported } = await createSeller(servers(), engine);
    expect(await server.runOrdersCommand("carriers", "圆通")).toMatch(/^YTO 圆通速递\nWeChat's own list is not here yet/);
    const [listed, unlisted] = [await buy(), await buy()];
    stub.behaviour.faults.push({ call: "get_delivery_list", fault: "half" });
    for (const [sn, name] of [
      [listed, "京东物流"],
      [unlisted, "飞鸽"],
    ] as const)
      expect(await ship(sn, ...parcel("N1", name))).toBe(
        `${sn} is shipped. WeChat has not accepted it yet (WeChat's list of carriers is still missing): the server goes on, and npm run orders -- unreported lists it.`,
      );
    await wait(60);
    expect(await reports(listed)).toMatchObject([{ state: "due", carrierId: null }]);
    await wait(1800);
    expect(await reports(listed)).toMatchObject([{ state: "accepted", carrierId: "JD" }]);
    expect(await reports(unlisted)).toMatchObject([{ state: "refused" }]);
    expect(await unreported()).toContain(
      'WeChat\'s list of carriers has no single "飞鸽": npm run orders -- carriers, then ship again',
    );
    expect(await ship(unlisted, ...parcel("N1", "JD"))).toMatch(/ WeChat has accepted it\.$/);
    expect(await unreported()).toBe("WeChat has everything.");
  });

  it("is any text in the sandbox", async () => {
    const { server, buyer } = await withBuyer(engine);
    const sn = await buyer.buy();
    expect(await server.runOrdersCommand("ship", sn, ...parcel("N1", "飞鸽"))).toBe(`${sn} is shipped.`);
    expect((await buyer.info(sn)).shipment).toEqual({ carrier: "飞鸽", tracking: "N1" });
    const other = await buyer.buy();
    expect(await server.runOrdersCommand("ship", other, "--by-hand")).toBe(`${other} is shipped.`);
    expect((await buyer.info(other)).shipment).toEqual({ carrier: "Our own courier", tracking: "" });
    expect(await server.runOrdersCommand("unreported")).toBe("Nothing is reported with PAYMENT=sandbox.");
  });
});
