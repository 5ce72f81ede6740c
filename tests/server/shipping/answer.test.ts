import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { payments } from "#server/db/schema/payment.ts";
import { shippingCodes } from "#server/payment/wechat/shipping-codes.ts";
import { createSeller } from "#tests/support/client/shipping.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import type { ShippingFault } from "#tests/support/stubs/wechat/shipping.ts";

const servers = prepareWechatServers();
/** What becomes of a report with each code that WeChat documents, but -1, which the client repeats. */
const documented: [outcome: "accepted" | "refused" | "settled" | "due" | "sent", codes: number[]][] = [
  ["accepted", [10060023]],
  ["settled", [10060002, 10060003, 10060004, 268546002]],
  ["sent", [10060012, 10060019]],
  ["due", [10060001, 40001, 40014, 42001, 45009, 44990, 40164, 40125]],
  ["refused", [10060005, 10060006, 10060007, 10060008, 10060009, 10060013, 10060014, 10060020, 10060024, 10060025, 10060026]],
  ["refused", [10060031, 268485194, 268485195, 268485196, 268485197, 268485216, 268485224, 268485226, 268485227, 268485228]],
  ["refused", [268485253, 268546000, 268546001, 40003, 40013, 40097, 44002, 47001, 48001, 61003, 61004, 61011]],
];

describeOnEngines("WeChat's answers to a report on %s", (engine) => {
  it.each<[fault: ShippingFault, hasArrived: boolean]>([
    ["500", false],
    ["429", false],
    ["502 after", true],
    ["html", true],
    ["half", true],
    [10060012, false],
    [10060019, false],
  ])("is unclear (%s): a look decides before anything is sent again", async (fault, hasArrived) => {
    const { buy, ship, stub, reports, wait, unreported } = await createSeller(servers(), engine);
    const sn = await buy();
    stub.behaviour.faults.push({ call: "upload_shipping_info", fault });
    expect(await ship(sn)).toMatch(/ is shipped\. WeChat has not accepted it yet \(.*\): the server goes on/);
    expect(await reports(sn)).toMatchObject([{ state: "sent" }]);
    expect(await unreported()).toContain("  48 h left  unclear: ");
    await wait(59);
    expect(stub.requests.calls.filter((call) => call === "get_order")).toHaveLength(1);
    // The look has no answer either.
    stub.behaviour.faults.push({ call: "get_order", fault: "500" });
    await wait(1);
    expect(await reports(sn)).toMatchObject([{ state: "sent", attempts: 2 }]);
    await wait(60);
    expect(await reports(sn)).toMatchObject([{ state: "accepted", attempts: 3, isCorrection: false }]);
    // Codes of system errors come before the upload is carried out.
    const uploads = stub.requests.uploads.length;
    expect(uploads).toBe(1);
    expect(stub.shipped.get(sn)?.count).toBe(1);
    expect(hasArrived ? stub.requests.calls.filter((call) => call === "upload_shipping_info").length : 1).toBe(1);
  });

  it("is unclear after three seconds without one, and the order is shipped all the same", async () => {
    const { buy, ship, stub, reports, wait, buyer } = await createSeller(servers(), engine);
    const sn = await buy();
    stub.behaviour.faults.push({ call: "upload_shipping_info", fault: "hang after" });
    expect(await ship(sn)).toMatch(/ is shipped\. WeChat has not accepted it yet/);
    expect((await buyer.info(sn)).status).toBe("shipped");
    await wait(60);
    expect(await reports(sn)).toMatchObject([{ state: "accepted" }]);
    expect(stub.requests.uploads).toHaveLength(1);
  });

  it.each(documented.flatMap(([kind, codes]) => codes.map((code) => [code, kind] as const)))(
    "has an outcome and advice for the code %i: %s",
    async (code, kind) => {
      const { buy, ship, stub, reports, wait, unreported } = await createSeller(servers(), engine);
      const sn = await buy();
      // The client requests another token once.
      for (let n = 0; n < 2; n += 1) stub.behaviour.faults.push({ call: "upload_shipping_info", fault: code });
      const text = await ship(sn);
      const [report] = await reports(sn);
      const advice = shippingCodes.get(code)?.advice ?? "";
      expect(advice).not.toBe("");
      if (kind === "accepted") expect(report).toMatchObject({ state: "accepted", errcode: null });
      if (kind === "refused") {
        expect(report).toMatchObject({ state: "refused", errcode: code });
        expect(text).toContain(advice);
        expect(await unreported()).toContain(`refused: WeChat reports errcode ${code} (`);
        await wait(3600);
        expect(stub.requests.calls.filter((call) => call === "upload_shipping_info")).toHaveLength(1);
      }
      // The stub has no shipment, so that WeChat contradicts itself: somebody has to look.
      if (kind === "settled") expect(report).toMatchObject({ state: "change_by_hand", errcode: code });
      if (kind === "due" || kind === "sent") {
        expect(report).toMatchObject({ state: kind, errcode: code });
        for (let n = 0; n < 3; n += 1) await wait(300);
        expect(await reports(sn)).toMatchObject([{ state: "accepted" }]);
        expect(stub.shipped.get(sn)?.count).toBe(1);
      }
    },
  );

  it("has an outcome for no other code", () => {
    expect([...shippingCodes.keys()].sort()).toEqual([-1, ...documented.flatMap(([, codes]) => codes)].sort());
  });

  it("counts a payment as reported that WeChat has finished by itself, of a pass", async () => {
    const { buyPass, stub, reports, wait } = await createSeller(servers(), engine);
    const sn = await buyPass();
    stub.confirmed.add(sn);
    await wait(60);
    expect(await reports(sn)).toMatchObject([{ state: "accepted" }]);
    expect(stub.requests.uploads).toEqual([]);
  });

  it("names the payer of a payment that was recorded without one", async () => {
    const { buy, ship, server, stub } = await createSeller(servers(), engine);
    const sn = await buy();
    await server.db.update(payments).set({ openid: null }).where(eq(payments.orderSn, sn));
    expect(await ship(sn)).toMatch(/ WeChat has accepted it\.$/);
    expect(stub.requests.uploads[0]?.payer.openid).toBe("oUpF8uMuAJO_M2pxb1Q9zNjWeS6o");
  });
});

describeOnEngines("whether WeChat manages the shop's orders on %s", (engine) => {
  it("is asked once a day by all processes; nothing is reported when it does not", async () => {
    const { buy, buyPass, ship, stub, reports, wait, server, unreported } = await createSeller(servers(), engine);
    const countQuestions = () => stub.requests.calls.filter((call) => call === "is_trade_managed").length;
    stub.behaviour.managed = false;
    await Promise.all([server.runScheduler(), server.runScheduler(), server.runScheduler()]);
    expect(countQuestions()).toBe(1);
    const sn = await buy();
    expect(await ship(sn)).toBe(`${sn} is shipped.`);
    const pass = await buyPass();
    await wait(60);
    for (const one of [sn, pass]) expect(await reports(one)).toMatchObject([{ state: "not_needed" }]);
    expect(stub.requests.uploads).toEqual([]);
    expect(await unreported()).toBe("WeChat has everything.\nWeChat does not manage this shop's orders: nothing is reported.");
    stub.behaviour.managed = true;
    await wait(86_400 - 61);
    expect(countQuestions()).toBe(1);
    await wait(1);
    expect(countQuestions()).toBe(2);
    const later = await buy();
    expect(await ship(later)).toBe(`${later} is shipped. WeChat has accepted it.`);
  });

  it("is as yesterday without an answer, and the list says so", async () => {
    const { buy, ship, stub, wait, server, unreported } = await createSeller(servers(), engine);
    expect(await unreported()).toBe(
      "WeChat has everything.\nWeChat has not said yet whether it manages this shop's orders: they are reported.",
    );
    stub.behaviour.managed = false;
    await server.runScheduler();
    stub.behaviour.managed = true;
    stub.behaviour.faults.push({ call: "is_trade_managed", fault: "500" }, { call: "is_trade_managed", fault: 44990 });
    await wait(86_400);
    expect(await unreported()).toMatch(
      /\nWeChat does not answer today whether it manages this shop's orders \(WeChat responded with 500\)\. It does not manage them, and nothing is reported, as of \d{4}-/,
    );
    const sn = await buy();
    expect(await ship(sn)).toBe(`${sn} is shipped.`);
    await wait(1800);
    expect(await unreported()).toContain("errcode 44990");
    await wait(1800);
    expect(await unreported()).toBe("WeChat has everything.");
  });
});
