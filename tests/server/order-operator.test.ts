import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { goods, skus } from "../../server/db/schema/goods.ts";
import { memberships } from "../../server/db/schema/member.ts";
import { packages } from "../../server/db/schema/package.ts";
import { payments } from "../../server/db/schema/payment.ts";
import { engines } from "../support/database.ts";
import { atCashier, newBuyer } from "../support/order.ts";
import { createHost, type Host } from "../support/test-server.ts";

const day = 86_400;
const regular = { uid: "regular", expected_pay_fen: 29_800 };
const parcel = ["--carrier", "顺丰", "--tracking", "SF1234567890"];

const counts = async (host: Host) => {
  const [sku] = await host.db.select().from(skus).where(eq(skus.uid, "tote"));
  const [row] = await host.db.select().from(goods).where(eq(goods.uid, "tote"));
  return [sku?.stock, row?.sold];
};
const expiry = async (host: Host) => (await host.db.select().from(memberships))[0]?.expiresAt.getTime();
const inDays = (host: Host, days: number) => host.now().getTime() + days * day * 1000;

describe.each(engines)("the operator on %s", (engine) => {
  it("ships what is paid, and completes it; fourteen days complete it as well", async () => {
    const host = await createHost(engine);
    const buyer = await newBuyer(host);
    const [sn, later] = [await buyer.buy({ note: "a" }), await buyer.buy()];
    expect(await host.operate("list")).toContain(
      `${sn}  paid  ¥110.00  歌单帆布袋 × 1  上海市徐汇区龙腾大道 1 号  小满  13800138000  note: a`,
    );
    host.wait(60);
    expect(await host.operate("ship", sn, ...parcel)).toBe(`${sn} is shipped.`);
    const shipped_at = host.now().toISOString();
    expect((await buyer.info(sn)).data.info).toMatchObject({
      ...{ status: "shipped", shipped_at, shipment: { carrier: "顺丰", tracking: "SF1234567890" } },
      timeline: [{ status: "pending" }, { status: "paid" }, { status: "shipped", at: shipped_at }],
    });
    expect(await host.operate("list")).not.toContain(sn);
    expect(await host.operate("list", "--state", "shipped")).toContain(sn);
    host.wait(60);
    expect(await host.operate("complete", sn)).toBe(`${sn} is completed.`);
    const completed_at = host.now().toISOString();
    expect((await buyer.info(sn)).data.info).toMatchObject({ status: "completed", completed_at });
    expect((await buyer.info(sn)).data.info.timeline).toHaveLength(4);

    await host.operate("ship", later, ...parcel);
    host.wait(14 * day - 1);
    await host.sweep();
    const again = await newBuyer(host, buyer.mobile);
    expect((await again.info(later)).data.info.status).toBe("shipped");
    host.wait(1);
    const due = host.now().toISOString();
    // As many processes do it, and do it again.
    await Promise.all([host.sweep(), host.sweep(), host.sweep()]);
    host.wait(60);
    await host.sweep();
    expect((await again.info(later)).data.info).toMatchObject({ status: "completed", completed_at: due });
    expect((await again.info(sn)).data.info).toMatchObject({ status: "completed", completed_at });
  });

  it("refunds: stock comes back only where nothing was shipped", async () => {
    const host = await createHost(engine);
    const buyer = await newBuyer(host);
    const before = await counts(host);
    const [one, other] = [await buyer.buy(), await buyer.buy()];
    await host.operate("ship", other, ...parcel);
    host.wait(60);
    expect(await host.operate("refund", one)).toBe(`${one} is refunded (in the sandbox: no money moves).`);
    await host.operate("refund", other);
    expect(await counts(host)).toEqual([Number(before[0]) - 1, before[1]]);
    const closed_at = host.now().toISOString();
    for (const sn of [one, other]) {
      const { info } = (await buyer.info(sn)).data;
      expect(info).toMatchObject({ status: "closed", close_reason: "refunded", closed_at, actions: { pay: false } });
      expect(info.timeline.at(1).status).toBe("paid");
    }
    const rows = await host.db.select().from(payments);
    expect(rows.map(({ refundedAt }) => refundedAt?.toISOString())).toEqual([closed_at, closed_at]);
    expect(await host.operate("refund", one)).toBe(`${one} is closed (refunded): only what was paid can be refunded.`);
    // Closed orders do not count against the limit.
    expect((await buyer.order({ quantity: 5, expected_pay_fen: 49_000 })).code).toBe(1);
  });

  it("refunds what came too late, without touching stock again", async () => {
    const host = await createHost(engine);
    const buyer = await newBuyer(host);
    const { order_sn } = (await buyer.order()).data;
    const path = await buyer.cashier(order_sn);
    host.wait(30 * 60);
    await host.sweep();
    await host.db.update(skus).set({ stock: 0 }).where(eq(skus.uid, "tote"));
    await atCashier(host, path, "pay");
    const before = await counts(host);
    expect(await host.operate("list", "--state", "refund-due")).toContain(order_sn);
    await host.operate("refund", order_sn);
    const { info } = (await buyer.info(order_sn)).data;
    expect(info).toMatchObject({ status: "closed", close_reason: "refunded" });
    expect(info.timeline.map(({ status }: { status: string }) => status)).toEqual(["pending", "closed"]);
    expect(await counts(host)).toEqual(before);
    expect(await host.operate("list", "--state", "refund-due")).toBe("No orders.");
  });

  it("takes a package's days back: those of an extension, of a higher pass, and of one that was carried over", async () => {
    const host = await createHost(engine);
    const buyer = await newBuyer(host);
    const first = await buyer.buyPass();
    const second = await buyer.buyPass({ quantity: 2, expected_pay_fen: 19_600 });
    await host.operate("refund", second);
    expect(await expiry(host)).toBe(inDays(host, 365));
    const higher = await buyer.buyPass(regular);
    const carried = Math.floor((365 * day * 9800) / 29_800) * 1000;
    expect(await expiry(host)).toBe(inDays(host, 365) + carried);
    await host.operate("refund", first);
    expect(await expiry(host)).toBe(inDays(host, 365));
    await host.operate("refund", higher);
    expect(await expiry(host)).toBeUndefined();
    expect((await buyer.ask("/v1/user/info")).data.info.membership).toBeNull();
    const [all] = await host.db.select().from(packages).where(eq(packages.uid, "all-access"));
    const scarce = await buyer.buyPass({ uid: "all-access", expected_pay_fen: 69_800 });
    await host.operate("refund", scarce);
    expect((await host.db.select().from(packages).where(eq(packages.uid, "all-access")))[0]?.stock).toBe(all?.stock);
  });

  it("takes no days of the pass that runs when an old one, used up, is refunded", async () => {
    const host = await createHost(engine);
    const buyer = await newBuyer(host);
    const old = await buyer.buyPass();
    host.wait(400 * day);
    const later = await newBuyer(host, buyer.mobile);
    const running = await later.buyPass();
    await host.operate("refund", old);
    expect(await expiry(host)).toBe(inDays(host, 365));
    await host.operate("refund", running);
    expect(await expiry(host)).toBeUndefined();
  });

  it("takes back only those days of an order that are left: the oldest are used first", async () => {
    const host = await createHost(engine);
    const buyer = await newBuyer(host);
    const first = await buyer.buyPass();
    host.wait(300 * day);
    const later = await newBuyer(host, buyer.mobile);
    const second = await later.buyPass();
    host.wait(40 * day);
    // 25 days of the first are left, and all of the second.
    await host.operate("refund", first);
    expect(await expiry(host)).toBe(inDays(host, 365));
    host.wait(100 * day);
    const last = await newBuyer(host, buyer.mobile);
    const higher = await last.buyPass(regular);
    const carried = Math.floor((265 * day * 9800) / 29_800) * 1000;
    expect(await expiry(host)).toBe(inDays(host, 365) + carried);
    await host.operate("refund", second);
    expect(await expiry(host)).toBe(inDays(host, 365));
    await host.operate("refund", higher);
    expect(await expiry(host)).toBeUndefined();
  });

  it("is told in a sentence what cannot be done, and nothing is", async () => {
    const host = await createHost(engine);
    const buyer = await newBuyer(host);
    const { order_sn } = (await buyer.order()).data;
    const pass = await buyer.buyPass();
    expect(await host.operate("ship", order_sn, ...parcel)).toBe(
      `${order_sn} is pending: only goods that are paid can be shipped.`,
    );
    expect(await host.operate("ship", pass, ...parcel)).toBe(`${pass} is paid: only goods that are paid can be shipped.`);
    expect(await host.operate("complete", order_sn)).toMatch(/ is pending: only what is shipped/);
    expect(await host.operate("refund", order_sn)).toMatch(/ is pending: only what was paid/);
    expect(await host.operate("refund", "M2601020304050000000A")).toBe("There is no order of that number.");
    expect(await host.operate("ship", order_sn, "--carrier", "x")).toBe("--tracking is needed: 1 to 60 characters.");
    expect(await host.operate("ship", order_sn, "--carrier")).toBe("--carrier needs a value.");
    expect(await host.operate("ship", order_sn, "--color", "x")).toBe("There is no --color.");
    for (const args of [[], ["ship"], ["sell", order_sn], ["refund", order_sn, pass], ["list", "--state", "x"]]) {
      expect(await host.operate(...args)).toMatch(/^npm run orders -- list/);
    }
    expect((await buyer.info(order_sn)).data.info.status).toBe("pending");
    expect(await host.operate("complete", pass)).toBe(`${pass} is completed.`);
  });
});
