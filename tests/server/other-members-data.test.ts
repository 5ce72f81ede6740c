import { describe, expect, it } from "vitest";
import { engines } from "../support/database.ts";
import { addressPayload, createBuyer } from "../support/order.ts";
import { createTestServer } from "../support/test-server.ts";

const missing = {
  address: "0b0e9f5e-52a4-4f6c-8d3c-3f5a5e6b7c8d",
  mall: "M2601020304050000000A",
  pass: "V2601020304050000000A",
};

describe.each(engines)("another member's data on %s", (engine) => {
  it.each(["zh-CN", "en-US"])("returns the same response as missing data, byte for byte (%s)", async (locale) => {
    const server = await createTestServer(engine);
    const [owner, stranger] = [await createBuyer(server), await createBuyer(server)];
    const orders = {
      pending: (await owner.order()).data.order_sn,
      paid: await owner.buy(),
      pass: (await owner.orderPackage()).data.order_sn,
      paidPass: await owner.buyPackage(),
    };
    const { data } = await owner.ask("/v1/booking/makeBooking", {
      campaign: "spring",
      stop: "wuhan",
      name: "小满",
      mobile: owner.mobile,
      party_size: 1,
    });
    const nobody = { ...stranger.itemPayload(), address_id: missing.address, client_request_id: "request-of-a-stranger" };
    const pairs: [path: string, foreign: object, missing: object][] = [
      [
        "/v1/address/up",
        { ...addressPayload, address_id: owner.address_id },
        { ...addressPayload, address_id: missing.address },
      ],
      ["/v1/address/del", { address_id: owner.address_id }, { address_id: missing.address }],
      ["/v1/mall/createOrder", { ...nobody, address_id: owner.address_id }, nobody],
      // No call accepts a booking's id: as an address or an order it does not exist.
      ["/v1/address/del", { address_id: data.booking.booking_id }, { address_id: missing.address }],
      ["/v1/mall/orderInfo", { order_sn: data.booking.booking_id }, { order_sn: missing.mall }],
    ];
    for (const path of ["/v1/mall/orderInfo", "/v1/mall/genMiniProgramCodeBySn"]) {
      for (const order_sn of [orders.pending, orders.paid]) pairs.push([path, { order_sn }, { order_sn: missing.mall }]);
    }
    for (const path of ["/v1/order/info", "/v1/memberPackage/genMiniProgramCodeBySn"]) {
      for (const order_sn of [orders.pass, orders.paidPass]) pairs.push([path, { order_sn }, { order_sn: missing.pass }]);
    }
    const getResponse = async (path: string, body: object) => {
      const { status, headers, text } = await stranger.ask(path, body, { locale });
      return { status, text, headers: [...headers].filter(([name]) => name !== "x-request-id") };
    };
    for (const [path, foreign, absent] of pairs) {
      const answer = await getResponse(path, foreign);
      expect({ path, answer }).toEqual({ path, answer: await getResponse(path, absent) });
      expect(JSON.parse(answer.text)).toMatchObject({ code: 10003, data: null });
    }
    // The owner still has access, and nothing has changed.
    expect((await owner.info(orders.pending)).data.info.status).toBe("pending");
    expect((await owner.ask("/v1/address/lists")).data.list).toHaveLength(1);
  });

  it("does not appear in the lists of another member", async () => {
    const server = await createTestServer(engine);
    const [owner, stranger] = [await createBuyer(server), await createBuyer(server)];
    await owner.order();
    await owner.buyPackage();
    await owner.ask("/v1/activity/booking", { activity_uid: "echo" });
    await owner.ask("/v1/booking/makeBooking", {
      campaign: "spring",
      stop: "wuhan",
      name: "小满",
      mobile: owner.mobile,
      party_size: 1,
    });
    expect((await stranger.ask("/v1/mall/orderList", { page: 1, page_size: 50 })).data.list).toEqual([]);
    expect((await stranger.ask("/v1/order/lists")).data.list).toEqual([]);
    expect((await stranger.ask("/v1/booking/info")).data.booking).toBeNull();
    const { list } = (await stranger.ask("/v1/activity/info")).data;
    expect(list.every((one: { my_status: null }) => one.my_status === null)).toBe(true);
    const addresses = (await stranger.ask("/v1/address/lists")).data.list;
    expect(addresses.map((one: { address_id: string }) => one.address_id)).toEqual([stranger.address_id]);
  });
});
