import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { orders } from "#server/db/schema/order.ts";
import { payments } from "#server/db/schema/payment.ts";
import { createSeller, parcel } from "#tests/support/client/shipping.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";

const servers = prepareWechatServers();

describeOnEngines("what WeChat is told of paid orders on %s", (engine) => {
  it("has a parcel's carrier, number and content at once when it is shipped", async () => {
    const { buy, ship, stub, reports, buyer } = await createSeller(servers(), engine);
    const sn = await buy();
    expect(await ship(sn)).toBe(`${sn} is shipped. WeChat has accepted it.`);
    expect(stub.requests.uploads).toMatchObject([
      {
        order_key: { order_number_type: 1, mchid: "1900000001", out_trade_no: sn },
        logistics_type: 1,
        delivery_mode: 1,
        shipping_list: [{ tracking_no: "YT8800000000001", express_company: "YTO", item_desc: "歌单帆布袋 × 1" }],
        payer: { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" },
      },
    ]);
    expect(stub.requests.uploads[0]?.shipping_list[0]).not.toHaveProperty("contact");
    expect(await reports(sn)).toMatchObject([{ kind: "express", state: "accepted", isCorrection: false, attempts: 1 }]);
    expect((await buyer.info(sn)).shipment).toEqual({ carrier: "YTO Express", tracking: "YT8800000000001" });
  });

  it("has the recipient's masked number for SF, which requires it", async () => {
    const { buy, ship, stub } = await createSeller(servers(), engine);
    const sn = await buy();
    expect(await ship(sn, ...parcel("SF1", "顺丰"))).toBe(`${sn} is shipped. WeChat has accepted it.`);
    expect(stub.requests.uploads[0]?.shipping_list[0]).toMatchObject({
      express_company: "SF",
      contact: { receiver_contact: "138****8000" },
    });
  });

  it("is kept without the recipient's number once the member has ended", async () => {
    const { buy, ship, server, buyer, reports } = await createSeller(servers(), engine);
    const sn = await buy();
    await ship(sn, ...parcel("SF1234567890", "SF"));
    expect(await reports(sn)).toMatchObject([{ contact: "138****8000" }]);
    await server.runCommand("members", "end", buyer.mobile, "--anyway", "yes");
    expect(await reports(sn)).toMatchObject([{ contact: null, state: "accepted" }]);
  });

  it("has what the shop brings itself as such, and the member reads it in both languages", async () => {
    const { buy, ship, stub, buyer, server } = await createSeller(servers(), engine);
    const sn = await buy();
    expect(await ship(sn, "--by-hand")).toBe(`${sn} is shipped. WeChat has accepted it.`);
    expect(stub.requests.uploads).toMatchObject([{ logistics_type: 2, delivery_mode: 1 }]);
    expect(stub.requests.uploads[0]?.shipping_list).toEqual([{ item_desc: "歌单帆布袋 × 1" }]);
    expect((await buyer.info(sn)).shipment).toEqual({ carrier: "Our own courier", tracking: "" });
    expect((await buyer.info(sn, { locale: "zh-CN" })).shipment).toEqual({ carrier: "本店配送", tracking: "" });
    expect(await server.runOrdersCommand("list", "--state", "shipped")).toContain("  by hand");
    expect(await server.runOrdersCommand("export", "--csv")).toContain(",by hand,");
    expect(await ship(sn, "--by-hand")).toBe(`${sn} is shipped by hand: nothing was changed.`);
    expect(await ship(sn, "--by-hand", ...parcel())).toBe("--by-hand has neither --carrier nor --tracking.");
  });

  it("has a pass a minute after its payment is recorded, and tries again while WeChat does not have the payment yet", async () => {
    const { buyPass, stub, reports, wait, unreported } = await createSeller(servers(), engine);
    const sn = await buyPass();
    expect(await reports(sn)).toMatchObject([{ kind: "virtual", state: "due" }]);
    stub.behaviour.indexAfter = 90;
    await wait(59);
    expect(stub.requests.calls).not.toContain("get_order");
    expect(await unreported()).toBe("WeChat has everything.");
    await wait(1);
    expect(stub.requests.uploads).toEqual([]);
    expect(await unreported()).toMatch(
      new RegExp(`^${sn}  pass  48 h left  due: WeChat reports errcode 10060001 \\(支付单不存在 rid: [-0-9a-f]+\\)$`),
    );
    await wait(60);
    await wait(60);
    expect(stub.requests.uploads).toMatchObject([{ logistics_type: 3, shipping_list: [{ item_desc: "听众证 × 1" }] }]);
    expect(await reports(sn)).toMatchObject([{ state: "accepted", errcode: null, words: null }]);
    expect(await unreported()).toBe("WeChat has everything.");
  });

  it("lists a payment that WeChat does not have after two hours of tries", async () => {
    const { buyPass, stub, reports, wait, unreported, server } = await createSeller(servers(), engine);
    const sn = await buyPass();
    stub.behaviour.indexAfter = 1e9;
    for (let minutes = 0; minutes < 119; minutes += 1) await wait(60);
    expect(await reports(sn)).toMatchObject([{ state: "due" }]);
    for (let minutes = 0; minutes < 31; minutes += 1) await wait(60);
    const calls = stub.requests.calls.length;
    expect(await reports(sn)).toMatchObject([{ state: "refused", errcode: 10060001 }]);
    expect(await unreported()).toMatch(
      / {2}pass {2}4[56] h left {2}refused: .*10060001.*: WeChat has no payment of that number/,
    );
    expect(await server.runOrdersCommand("list")).toMatch(/\nNot accepted by WeChat: 1 \(npm run orders -- unreported\)$/);
    await wait(3600);
    expect(stub.requests.calls).toHaveLength(calls);
    stub.behaviour.indexAfter = 0;
    const again = await server.runOrdersCommand("unreported", sn, "--again", "yes", "--why", "it is there now");
    expect(again).toBe(`${sn} is sent again. WeChat has accepted it.`);
    expect((await server.runCommand("audit", "list", sn)).text).toMatch(
      /orders unreported .*before: refused {2}after: due {2}why: it is/,
    );
  });

  it("lacks goods that are still to be sent: they are listed by the hours that are left", async () => {
    const { buy, buyPass, ship, stub, wait, unreported, server, buyer, post } = await createSeller(servers(), engine);
    const first = await buy();
    await wait(47 * 3600);
    const second = await buy();
    await buyPass();
    await wait(60);
    expect((await unreported()).split("\n")).toEqual([`${first}  to be sent  1 h left`, `${second}  to be sent  48 h left`]);
    await wait(3 * 3600);
    expect(await unreported()).toContain(`${first}  to be sent  2 h late`);
    await ship(first);
    expect(await unreported()).toBe(`${second}  to be sent  45 h left`);
    await server.runOrdersCommand("refund", second);
    await post(servers().wechat.refundNotice(`${second}R1`, "SUCCESS"));
    expect(await unreported()).toBe("WeChat has everything.");
    const third = await buy();
    stub.behaviour.managed = false;
    await wait(24 * 3600);
    expect(await unreported()).not.toContain(third);
    expect(await buyer.info(third)).toMatchObject({ status: "paid" });
  });

  it("has the page that opens an order from its order centre and its messages", async () => {
    const { wechat } = servers();
    const { server } = await servers().withBuyer(engine);
    const answer = await server.runOrdersCommand("page", "pages/pay/pay");
    expect(answer).toBe("WeChat's order centre and its messages about parcels open pages/pay/pay.");
    const { paths } = wechat.shippingStub;
    expect([paths.get("update_order_detail_path"), paths.get("set_msg_jump_path")]).toEqual([
      `pages/pay/pay?sn=${"$"}{商品订单号}`,
      "pages/pay/pay",
    ]);
    expect(await server.runOrdersCommand("page", "/pages/pay?x=1")).toBe("A page is a path such as pages/pay/pay.");
    wechat.shippingStub.behaviour.faults.push({ call: "update_order_detail_path", fault: 10060035 });
    expect(await server.runOrdersCommand("page", "pages/pay/pay")).toContain("WeChat does not take the page: WeChat reports");
  });

  it("has nothing of orders that were paid in the sandbox", async () => {
    const { buyer, server, stub, reports, ship } = await createSeller(servers(), engine);
    const sn = await buyer.order();
    await server.db.update(orders).set({ status: "paid", paidAt: server.now() }).where(eq(orders.orderSn, sn));
    await server.db.insert(payments).values({
      ...{ orderSn: sn, tradeNo: sn, provider: "sandbox", transactionId: `sandbox-${sn}`, payFen: 11_000 },
      paidAt: server.now(),
    });
    expect(await ship(sn)).toBe(`${sn} is shipped.`);
    expect(await reports(sn)).toEqual([]);
    expect(stub.requests.calls).toEqual([]);
  });
});
