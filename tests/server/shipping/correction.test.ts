import { expect, it } from "vitest";
import { createSeller, parcel } from "#tests/support/client/shipping.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";

const servers = prepareWechatServers();
const [first, second, third] = ["YT8800000000001", "YT8800000000002", "YT8800000000003"];

describeOnEngines("a corrected parcel on %s", (engine) => {
  it("goes to WeChat once; a later one stays here and is listed until it is changed in WeChat's console", async () => {
    const { buy, ship, stub, reports, unreported, server, buyer } = await createSeller(servers(), engine);
    await server.runScheduler();
    const sn = await buy();
    await ship(sn, ...parcel(first));
    server.advanceClock(3600);
    expect(await ship(sn, ...parcel(second))).toBe(
      `${sn} is shipped with 圆通速递 ${second} (before: 圆通速递 ${first}). WeChat has accepted the correction, the only one that it takes.`,
    );
    expect(stub.shipped.get(sn)).toMatchObject({ count: 2, upload: { shipping_list: [{ tracking_no: second }] } });
    server.advanceClock(3600);
    expect(await ship(sn, ...parcel(third))).toBe(
      `${sn} is shipped with 圆通速递 ${third} (before: 圆通速递 ${second}). WeChat has taken its one correction of this payment: change it in WeChat's console (mp.weixin.qq.com, 发货信息管理).`,
    );
    // The last one was not even sent.
    expect(stub.requests.uploads).toHaveLength(2);
    expect((await buyer.info(sn)).shipment?.tracking).toBe(third);
    expect(await reports(sn)).toMatchObject([
      { state: "accepted", isCorrection: false },
      { state: "accepted", isCorrection: true },
      { state: "change_by_hand" },
    ]);
    expect(await unreported()).toBe(
      `${sn}  parcel  YTO ${third}  46 h left  not changed: WeChat has taken its one correction of this payment: change it in WeChat's console (mp.weixin.qq.com, 发货信息管理)`,
    );
    expect(await server.runOrdersCommand("unreported", sn, "--handled", "yes", "--why", "done there")).toBe(
      `${sn} is off the list.`,
    );
    expect(await unreported()).toBe("WeChat has everything.");
    expect(await server.runOrdersCommand("unreported", sn, "--handled", "yes")).toMatch(/^Nothing of .* waits for you/);
    expect((await server.runCommand("audit", "list", sn)).text).toMatch(
      /before: change_by_hand {2}after: handled {2}why: done there/,
    );
  });

  it("is not sent once the buyer has confirmed", async () => {
    const { buy, ship, stub, reports } = await createSeller(servers(), engine);
    const sn = await buy();
    await ship(sn, ...parcel(first));
    stub.confirmed.add(sn);
    expect(await ship(sn, ...parcel(second))).toMatch(/the buyer has confirmed, .*: change it in WeChat's console/i);
    expect(stub.requests.uploads).toHaveLength(1);
    expect(await reports(sn)).toMatchObject([{ state: "accepted" }, { state: "change_by_hand" }]);
  });

  it("burns no correction when WeChat has not had the first number yet", async () => {
    const { buy, ship, stub, reports, wait } = await createSeller(servers(), engine);
    const sn = await buy();
    stub.behaviour.faults.push({ call: "get_order", fault: "500" });
    expect(await ship(sn, ...parcel(first))).toMatch(
      / WeChat has not accepted it yet \(WeChat responded with 500\): the server goes on/,
    );
    expect(await ship(sn, ...parcel(second))).toMatch(/ WeChat has accepted it\.$/);
    await wait(300);
    expect(stub.requests.uploads).toHaveLength(1);
    expect(stub.shipped.get(sn)).toMatchObject({ count: 1, upload: { shipping_list: [{ tracking_no: second }] } });
    expect(await reports(sn)).toMatchObject([{ state: "void" }, { state: "accepted", isCorrection: false }]);
  });

  it("waits for the answer about the first number, which may be at WeChat", async () => {
    const { buy, ship, stub, reports, wait } = await createSeller(servers(), engine);
    for (const fault of ["502 after", "500"] as const) {
      const sn = await buy();
      const isThere = fault === "502 after";
      stub.behaviour.faults.push({ call: "upload_shipping_info", fault });
      await ship(sn, ...parcel(first));
      expect(await reports(sn)).toMatchObject([{ state: "sent", words: `WeChat responded with ${fault.slice(0, 3)}` }]);
      expect(await ship(sn, ...parcel(second))).toMatch(/ WeChat has not accepted it yet: the server goes on/);
      expect(await reports(sn)).toMatchObject([{ state: "sent" }, { state: "due", attempts: 0 }]);
      await wait(60);
      expect(await reports(sn)).toMatchObject([
        { state: isThere ? "accepted" : "void" },
        { state: "accepted", isCorrection: isThere },
      ]);
      expect(stub.shipped.get(sn)).toMatchObject({
        count: isThere ? 2 : 1,
        upload: { shipping_list: [{ tracking_no: second }] },
      });
    }
  });

  it("from a carrier to the shop's own delivery is a correction too", async () => {
    const { buy, ship, stub, buyer, server } = await createSeller(servers(), engine);
    const sn = await buy();
    await ship(sn, ...parcel(first));
    server.advanceClock(1);
    expect(await ship(sn, "--by-hand")).toBe(
      `${sn} is shipped by hand (before: 圆通速递 ${first}). WeChat has accepted the correction, the only one that it takes.`,
    );
    expect(stub.shipped.get(sn)).toMatchObject({ count: 2, upload: { logistics_type: 2 } });
    expect((await buyer.info(sn)).shipment?.tracking).toBe("");
  });

  it("that the operator has made in WeChat's console before counts as accepted, and nothing is sent", async () => {
    const { buy, ship, stub } = await createSeller(servers(), engine);
    const sn = await buy();
    await ship(sn, ...parcel(first));
    const [upload] = stub.requests.uploads;
    if (!upload) throw new Error("nothing was sent");
    stub.shipped.set(sn, {
      count: 2,
      at: 0,
      upload: { ...upload, shipping_list: [{ tracking_no: second, express_company: "YTO" }] },
    });
    expect(await ship(sn, ...parcel(second))).toMatch(/ WeChat has accepted it\.$/);
    expect(stub.requests.uploads).toHaveLength(1);
  });
});

describeOnEngines("a refund on %s", (engine) => {
  it("of the whole sum ends what is not sent, and a part changes nothing", async () => {
    const { buy, buyPass, ship, stub, reports, wait, server } = await createSeller(servers(), engine);
    const pass = await buyPass();
    servers().wechat.refundStub.behaviour.status = "SUCCESS";
    await server.runOrdersCommand("refund", pass);
    await wait(120);
    expect(await reports(pass)).toMatchObject([{ state: "void", attempts: 0 }]);
    const part = await buy();
    servers().wechat.refundStub.refundInConsole(part, 100);
    await server.runOrdersCommand("refund", part, "--done", "outside", "--sum", "1", "--why", "a scratch");
    expect(await ship(part)).toMatch(/ WeChat has accepted it\.$/);
    expect(stub.requests.uploads).toHaveLength(1);
  });

  it("by other means ends what had no answer and has not arrived", async () => {
    const { buy, ship, stub, reports, wait, server } = await createSeller(servers(), engine);
    const sn = await buy();
    stub.behaviour.faults.push({ call: "upload_shipping_info", fault: "500" });
    await ship(sn);
    await server.runOrdersCommand("refund", sn, "--done", "outside", "--why", "bank transfer");
    await wait(60);
    expect(await reports(sn)).toMatchObject([{ state: "void" }]);
    expect(stub.requests.uploads).toEqual([]);
  });

  it("that WeChat alone has recorded ends a report too", async () => {
    const { buyPass, stub, reports, wait } = await createSeller(servers(), engine);
    const pass = await buyPass();
    servers().wechat.refundStub.refundInConsole(pass, 9800);
    await wait(60);
    expect(await reports(pass)).toMatchObject([{ state: "void", words: "the payment is refunded at WeChat" }]);
    expect(stub.requests.uploads).toEqual([]);
  });
});
