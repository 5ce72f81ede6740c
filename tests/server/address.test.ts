import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { orders } from "#server/db/schema/order.ts";
import { contract } from "#src/api/contract.ts";
import { client } from "#tests/support/client/client.ts";
import { addressPayload, setRegionCode, withBuyer } from "#tests/support/client/order.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";

async function member(server: TestServer) {
  const token = await server.logIn(newMobile());
  const { call, send, invalidFields } = client(server, { token });
  const list = async () => (await call(contract.addressLists)).list;
  /** Returns each address as its detail, the default one with a star. */
  const summary = async () => (await list()).map(({ detail, is_default }) => `${detail}${is_default ? "*" : ""}`);
  // Each second of the clock orders the addresses.
  const add = (detail: string, is_default = false) => {
    server.advanceClock(1);
    return send(contract.addressAdd, { ...addressPayload, detail, is_default });
  };
  const getId = async (detail: string) => (await list()).find((address) => address.detail === detail)?.address_id ?? "";
  return { call, send, invalidFields, list, summary, add, getId };
}

describeOnEngines("addresses on %s", (engine) => {
  it("trims an address and returns its region in its own language, whichever is requested", async () => {
    const { call } = await member(await createTestServer(engine));
    const payload = { ...addressPayload, name: " 䶮 ", extra: 1 };
    const [first] = (await call(contract.addressAdd, payload, { locale: "zh-CN" })).list;
    const names = { province: "上海市", city: "", district: "徐汇区" };
    expect(first).toEqual({ ...addressPayload, ...names, name: "䶮", address_id: expect.any(String), is_default: true });
    // A courier reads a Chinese street in a Chinese city.
    expect((await call(contract.addressLists, undefined, { locale: "en-US" })).list).toEqual([first]);
    const { list } = await call(contract.addressUp, {
      ...addressPayload,
      address_id: first?.address_id ?? "",
      region_code: "441900",
      detail: "Road 2",
    });
    expect(list).toMatchObject([{ province: "Guangdong", city: "Dongguan", district: "" }]);
  });

  it("keeps exactly one default address: the first, then the last one set, then the newest", async () => {
    const { call, add, summary, getId } = await member(await createTestServer(engine));
    await add("Road 1");
    await add("Road 2");
    await add("Road 3");
    expect(await summary()).toEqual(["Road 1*", "Road 3", "Road 2"]);
    await call(contract.addressUp, {
      ...addressPayload,
      address_id: await getId("Road 2"),
      detail: "Road 2",
      is_default: true,
    });
    expect(await summary()).toEqual(["Road 2*", "Road 3", "Road 1"]);
    await add("Road 4", true);
    expect(await summary()).toEqual(["Road 4*", "Road 3", "Road 2", "Road 1"]);
    await call(contract.addressUp, {
      ...addressPayload,
      address_id: await getId("Road 4"),
      detail: "Road 4",
      is_default: false,
    });
    expect((await summary())[0]).toBe("Road 4*");
    await call(contract.addressDel, { address_id: await getId("Road 1") });
    await call(contract.addressDel, { address_id: await getId("Road 4") });
    expect(await summary()).toEqual(["Road 3*", "Road 2"]);
  });

  it("stores at most 20 addresses, also when 25 are added at once", async () => {
    const { call, list, add, summary } = await member(await createTestServer(engine));
    const responses = await Promise.all(Array.from({ length: 25 }, (_, n) => add(`Road ${n}`, n % 2 === 0)));
    expect(responses.filter(({ code }) => code === 1)).toHaveLength(20);
    expect(responses.filter(({ code, status }) => code === 30002 && status === 200)).toHaveLength(5);
    expect((await summary()).filter((one) => one.endsWith("*"))).toHaveLength(1);
    const [first] = await list();
    await call(contract.addressDel, { address_id: first?.address_id ?? "" });
    expect((await add("Road 30")).code).toBe(1);
  });

  it("joins the lines of a pasted address detail into one line", async () => {
    const { call } = await member(await createTestServer(engine));
    const { list } = await call(contract.addressAdd, { ...addressPayload, detail: " 龙腾大道 1 号\r\n\t二楼 \n" });
    expect(list[0]?.detail).toBe("龙腾大道 1 号 二楼");
  });

  it("returns 10002 and names the field for a code of no district, or of one of former times", async () => {
    const { invalidFields, summary } = await member(await createTestServer(engine));
    for (const region_code of ["310000", "440300", "310104001", "330104", "500112"])
      expect(await invalidFields(contract.addressAdd, { ...addressPayload, region_code })).toEqual(["region_code"]);
    expect(await summary()).toEqual([]);
  });

  /** Creates a buyer whose address was saved when `regionCode` was offered. */
  async function createOldBuyer(regionCode: string) {
    const { server, buyer } = await withBuyer(engine);
    await setRegionCode(server, regionCode);
    return buyer;
  }

  it.each([
    ["330103", "330105", ["浙江省", "杭州市", "拱墅区"]],
    ["350403", "350404", ["福建省", "三明市", "三元区"]],
    ["410306", "410308", ["河南省", "洛阳市", "孟津区"]],
    ["460323", "460302", ["海南省", "三沙市", "西沙区"]],
    ["500105", "500157", ["重庆市", "", "两江新区"]],
  ])("shows and orders to the only successor of a saved address's code: %s is %s", async (old, code, names) => {
    const { call, order, info, address_id } = await createOldBuyer(old);
    const [saved] = (await call(contract.addressLists)).list;
    expect(saved).toMatchObject({ region_code: code });
    expect([saved?.province, saved?.city, saved?.district]).toEqual(names);
    expect(saved).not.toHaveProperty("needs_region");
    const { address } = await info(await order());
    expect(address).toMatchObject({ region_code: code, district: names[2] });
    // A page that was open before still sends the old code.
    const { list } = await call(contract.addressUp, { ...addressPayload, address_id, region_code: old });
    expect(list).toEqual([saved]);
  });

  it.each([
    ["330104", ["浙江省", "杭州市", "江干区"]],
    ["500112", ["重庆市", "", "渝北区"]],
    ["440300", ["广东省", "深圳市", ""]],
    ["999999", ["", "", ""]],
  ])(
    "marks a saved address whose code %s means no region of today, and orders once its region is chosen",
    async (old, names) => {
      const { call, send, order, sendOrder, itemPayload, address_id } = await createOldBuyer(old);
      const [saved] = (await call(contract.addressLists)).list;
      expect(saved).toMatchObject({ region_code: old, needs_region: true });
      expect([saved?.province, saved?.city, saved?.district]).toEqual(names);
      const refused = await sendOrder();
      expect(refused).toMatchObject({
        status: 200,
        code: 10002,
        data: { fields: { region_code: "The region has changed. Choose it again" } },
      });
      const chinese = await send(contract.mallCreateOrder, itemPayload(), { locale: "zh-CN" });
      expect(chinese.data).toEqual({ fields: { region_code: "地区有调整，要重新选" } });
      // Another field alone does not mend it, and changes nothing.
      expect(await send(contract.addressUp, { ...addressPayload, address_id, name: "小雪", region_code: old })).toMatchObject({
        code: 10002,
        data: { fields: { region_code: expect.any(String) } },
      });
      expect((await call(contract.addressLists)).list).toEqual([saved]);
      const { list } = await call(contract.addressUp, { ...addressPayload, address_id, region_code: "500109" });
      expect(list[0]).not.toHaveProperty("needs_region");
      expect(await order()).toMatch(/^M/);
    },
  );

  it("keeps the region of an order as it was when the order was placed", async () => {
    const {
      server,
      buyer: { order, info },
    } = await withBuyer(engine);
    const sn = await order();
    const placed = { name: { "zh-CN": "渝北区", "en-US": "Yubei District" }, none: { "zh-CN": "", "en-US": "" } };
    const address = {
      ...addressPayload,
      region_code: "500112",
      province: placed.none,
      city: placed.none,
      district: placed.name,
    };
    await server.db.update(orders).set({ address }).where(eq(orders.orderSn, sn));
    expect((await info(sn)).address).toMatchObject({ region_code: "500112", district: "渝北区" });
  });
});
