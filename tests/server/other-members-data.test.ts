import { expect, it } from "vitest";
import type { Call } from "../../src/api/call.ts";
import { contract } from "../../src/api/contract.ts";
import { addressPayload, createBuyer } from "../support/client/order.ts";
import { describeOnEngines } from "../support/database/database.ts";
import { createTestServer } from "../support/processes/test-server.ts";

const missing = {
  address: "0b0e9f5e-52a4-4f6c-8d3c-3f5a5e6b7c8d",
  mall: "M2601020304050000000A",
  pass: "V2601020304050000000A",
};

describeOnEngines("another member's data on %s", (engine) => {
  it.each(["zh-CN", "en-US"])("returns the same response as missing data, byte for byte (%s)", async (locale) => {
    const server = await createTestServer(engine);
    const [owner, stranger] = [await createBuyer(server), await createBuyer(server)];
    const orders = {
      pending: await owner.order(),
      paid: await owner.buy(),
      pass: await owner.orderPackage(),
      paidPass: await owner.buyPackage(),
    };
    const { booking } = await owner.call(contract.makeBooking, {
      campaign: "spring",
      stop: "wuhan",
      name: "小满",
      mobile: owner.mobile,
      party_size: 1,
    });
    const unknownAddressOrder = {
      ...stranger.itemPayload(),
      address_id: missing.address,
      client_request_id: "request-of-a-stranger",
    };
    const pairs: [row: Call, foreign: object, missing: object][] = [
      [
        contract.addressUp,
        { ...addressPayload, address_id: owner.address_id },
        { ...addressPayload, address_id: missing.address },
      ],
      [contract.addressDel, { address_id: owner.address_id }, { address_id: missing.address }],
      [contract.mallCreateOrder, { ...unknownAddressOrder, address_id: owner.address_id }, unknownAddressOrder],
      // No call accepts a booking's id: as an address or an order it does not exist.
      [contract.addressDel, { address_id: booking.booking_id }, { address_id: missing.address }],
      [contract.mallOrderInfo, { order_sn: booking.booking_id }, { order_sn: missing.mall }],
    ];
    for (const row of [contract.mallOrderInfo, contract.mallPayCode]) {
      for (const order_sn of [orders.pending, orders.paid]) pairs.push([row, { order_sn }, { order_sn: missing.mall }]);
    }
    for (const row of [contract.packageOrderInfo, contract.packagePayCode]) {
      for (const order_sn of [orders.pass, orders.paidPass]) pairs.push([row, { order_sn }, { order_sn: missing.pass }]);
    }
    const getResponse = async (row: Call, body: object) => {
      const { status, headers, text } = await stranger.send(row, body, { locale });
      return { status, text, headers: [...headers].filter(([name]) => name !== "x-request-id") };
    };
    for (const [row, foreign, absent] of pairs) {
      const { path } = row;
      const response = await getResponse(row, foreign);
      expect({ path, response }).toEqual({ path, response: await getResponse(row, absent) });
      expect(JSON.parse(response.text)).toMatchObject({ code: 10003, data: null });
    }
    // The owner still has access, and nothing has changed.
    expect((await owner.info(orders.pending)).status).toBe("pending");
    expect((await owner.call(contract.addressLists)).list).toHaveLength(1);
  });

  it("does not appear in the lists of another member", async () => {
    const server = await createTestServer(engine);
    const [owner, stranger] = [await createBuyer(server), await createBuyer(server)];
    await owner.order();
    await owner.buyPackage();
    await owner.call(contract.activityBooking, { activity_uid: "echo" });
    await owner.call(contract.makeBooking, {
      campaign: "spring",
      stop: "wuhan",
      name: "小满",
      mobile: owner.mobile,
      party_size: 1,
    });
    expect((await stranger.call(contract.mallOrderList, { page: 1, page_size: 50 })).list).toEqual([]);
    expect((await stranger.call(contract.packageOrderLists)).list).toEqual([]);
    expect((await stranger.call(contract.bookingInfo)).booking).toBeNull();
    const { list } = await stranger.call(contract.activityInfo);
    expect(list.every(({ my_status }) => my_status === null)).toBe(true);
    const addresses = (await stranger.call(contract.addressLists)).list;
    expect(addresses.map(({ address_id }) => address_id)).toEqual([stranger.address_id]);
  });
});
