import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { audit } from "../../server/db/schema/audit.ts";
import { contract } from "../../src/api/contract.ts";
import { createBuyer } from "../support/client/order.ts";
import { describeOnEngines } from "../support/database/database.ts";
import { createTestServer, type TestServer } from "../support/processes/test-server.ts";

const day = 86_400;
const ship = (sn: string, tracking: string, carrier = "顺丰") => ["ship", sn, "--carrier", carrier, "--tracking", tracking];
const findActs = async (server: TestServer, subject: string) =>
  (await server.db.select().from(audit).where(eq(audit.subject, subject)).orderBy(audit.id)).map(
    ({ operator, act, before, after, why }) => [operator, act, before, after, why],
  );

describeOnEngines("the correction of an order on %s", (engine) => {
  it("replaces carrier and number of a shipped order, names what they were and keeps it", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    const sn = await buyer.buy();
    const run = (...args: string[]) => server.runCommand("orders", ...args);
    await run(...ship(sn, "SF1"));
    const { shipped_at } = await buyer.info(sn);
    server.advanceClock(day);
    const again = await createBuyer(server, buyer.mobile);
    expect(await run(...ship(sn, "ZT22", "中通"), "--why", "wrong label")).toEqual({
      status: 0,
      text: `${sn} is shipped with 中通 ZT22 (before: 顺丰 SF1).`,
    });
    expect(await again.info(sn)).toMatchObject({
      status: "shipped",
      shipped_at,
      shipment: { carrier: "ZTO Express", tracking: "ZT22" },
    });
    expect(await run(...ship(sn, "ZT22", "中通"))).toEqual({
      status: 1,
      text: `${sn} is shipped with 中通 ZT22: nothing was changed.`,
    });
    await run("complete", sn);
    expect((await run(...ship(sn, "ZT23", "中通"))).status).toBe(0);
    expect(await again.info(sn)).toMatchObject({ status: "completed", shipment: { tracking: "ZT23" } });
    expect(await findActs(server, sn)).toEqual([
      ["tester", "orders ship", "顺丰 SF1", "中通 ZT22", "wrong label"],
      ["tester", "orders ship", "中通 ZT22", "中通 ZT23", null],
    ]);
    await run("refund", sn);
    expect(await run(...ship(sn, "ZT24"))).toEqual({
      status: 1,
      text: `${sn} is closed (refunded): only goods that are paid can be shipped.`,
    });
  });

  it("changes the parts of an address that are named, until the order is shipped, and keeps what they were", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    const run = (...args: string[]) => server.runCommand("orders", ...args);
    const [unpaid, sn] = [await buyer.order(), await buyer.buy({ note: "a" })];
    const old = "上海市徐汇区龙腾大道 1 号  小满  13800138000";
    const half = "上海市徐汇区龙腾大道 2 号  小满  13800138000";
    expect(await run("address", unpaid, "--detail", "龙腾大道 2 号")).toEqual({
      status: 0,
      text: `${unpaid} is sent to ${half} (before: ${old}).`,
    });
    const whole = "广东省深圳市南山区科技路 1 号  李测  13900000001";
    const options = ["--region", "深圳市南山区", "--detail", "科技路 1 号", "--name", "李测", "--mobile", "+86 139-0000-0001"];
    expect(await run("address", sn, ...options, "--why", "called")).toEqual({
      status: 0,
      text: `${sn} is sent to ${whole} (before: ${old}).`,
    });
    expect((await buyer.info(sn, { locale: "zh-CN" })).address).toEqual({
      ...{ name: "李测", mobile: "13900000001", region_code: "440305", detail: "科技路 1 号" },
      ...{ province: "广东省", city: "深圳市", district: "南山区" },
    });
    expect((await buyer.info(unpaid)).address?.detail).toBe("龙腾大道 2 号");
    expect(await server.runOrdersCommand("list")).toContain(`${sn}  paid  ¥110.00  歌单帆布袋 × 1  ${whole}  note: a`);
    expect(await findActs(server, sn)).toEqual([["tester", "orders address", old, whole, "called"]]);
    // The member's own address stays.
    expect((await buyer.call(contract.addressLists)).list[0]).toMatchObject({ detail: "龙腾大道 1 号" });
    await run(...ship(sn, "SF1"));
    expect(await run("address", sn, "--name", "小满")).toEqual({
      status: 1,
      text: `${sn} is shipped: only goods that are to be shipped can get another address.`,
    });
    const list = (await server.runCommand("audit", "list", sn)).text;
    expect(list).toMatch(new RegExp(`^\\S+  tester  orders address  ${sn}  before: ${old}  after: ${whole}  why: called$`));
  });

  it("refuses what no address can have, with one sentence, and changes nothing", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    const [sn, pass] = [await buyer.buy(), await buyer.buyPackage()];
    const before = await buyer.info(sn);
    const refused: [args: string[], text: string | RegExp][] = [
      [["address", sn], "--name, --mobile, --detail, --region: at least one is required."],
      [["address", sn, "--why", "x"], "--name, --mobile, --detail, --region: at least one is required."],
      [["address", sn, "--region", "鼓楼区"], /^--region: \d districts have that name: \d{6} \S+鼓楼区, /],
      [["address", sn, "--region", "区"], /^--region: \d+ districts have that name: .*, …\.$/],
      [["address", sn, "--region", "310000"], /^--region: there is no district "310000"\./],
      [["address", sn, "--region", "999999"], /^--region: there is no district "999999"\./],
      [["address", sn, "--region", "上海市"], /^--region: there is no district "上海市"\./],
      [["address", sn, "--mobile", "+852 91234567"], /^--mobile: /],
      [["address", sn, "--mobile", "1380013800"], /^--mobile: /],
      [["address", sn, "--detail", "路"], /^--detail: /],
      [["address", sn, "--detail", "x".repeat(121)], /^--detail: /],
      [["address", sn, "--name", "x".repeat(26)], /^--name: /],
      [["address", sn, "--name", "小\u0007满"], /^--name: /],
      [["address", sn, "--name", "小满"], `${sn} has that address: nothing was changed.`],
      [["address", sn, "--name"], "--name requires a value."],
      [["address", pass, "--name", "李测"], `${pass} is paid: only goods that are to be shipped can get another address.`],
      [["address", "M2601020304050000000A", "--name", "李测"], "There is no order of that number."],
      [[...ship(sn, "SF1"), "--why", " "], "--why has 1 to 200 characters."],
      [[...ship(sn, "SF1"), "--why", "x".repeat(201)], "--why has 1 to 200 characters."],
    ];
    for (const [args, text] of refused) {
      const expected = typeof text === "string" ? text : expect.stringMatching(text);
      expect({ args, ...(await server.runCommand("orders", ...args)) }).toEqual({ args, status: 1, text: expected });
    }
    expect(await buyer.info(sn)).toEqual(before);
    expect(await server.db.select().from(audit)).toEqual([]);
  });
});
