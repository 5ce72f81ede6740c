import { expect } from "vitest";
import type { Booking } from "#src/api/booking.ts";
import { contract } from "#src/api/contract.ts";
import type { Client } from "./client.ts";
import { type Checks, getClient, getSecondClient, missing, need, skip } from "./run.ts";

const fetchInfo = (client: Client) => client.data(contract.bookingInfo);

/** Returns a payload for the stop with most places, and whether booking is open. */
async function prepareBooking(client: Client) {
  const { campaign, server_time, booking } = await fetchInfo(client);
  const isOpen = campaign.opens_at <= server_time && server_time < campaign.closes_at;
  const stop = need(campaign.stops.toSorted((a, b) => b.places_left - a.places_left)[0], "the campaign has no stop");
  const guest = { name: "Conformance", mobile: "13800138000", party_size: 1, note: "" };
  return { isOpen, payload: { campaign: campaign.uid, stop: stop.stop, ...guest }, stop, booking };
}

const toPayload = ({ campaign, stop, name, mobile, party_size, note }: Booking) => ({
  campaign,
  stop,
  name,
  mobile,
  party_size,
  note,
});

const invalidValues = {
  name: ["", " ", "x".repeat(26)],
  mobile: ["123", "1-415-555-2671", null],
  party_size: [0, 5, 1.5, "1"],
  note: ["x".repeat(201), 7],
  stop: ["", "a b"],
  campaign: [""],
};

export const booking: Checks = {
  "a visitor receives the campaign without a booking": async ({ visitor }) => {
    const { booking, campaign } = await fetchInfo(visitor);
    expect(booking).toBeNull();
    expect(campaign.opens_at < campaign.closes_at, "it opens before it closes").toBe(true);
    for (const { stop, status, places_left, moved_from } of campaign.stops) {
      expect(places_left, stop).toBeGreaterThanOrEqual(0);
      if (status === "cancelled") expect(places_left, `places of ${stop}, which is cancelled`).toBe(0);
      if (moved_from !== undefined) expect(status, `${stop} has an old start`).toBe("moved");
    }
  },

  "a booking is created, a repeat changes it, and the places left follow; outside of its time it returns 50003": async (
    run,
  ) => {
    const client = getClient(run);
    const { isOpen, payload, stop, booking: earlier } = await prepareBooking(client);
    if (!isOpen) return void (await client.expectCode("bookingClosed", contract.makeBooking, payload));
    if (earlier) return skip("this member has booked before");
    if (stop.places_left < 2) return skip("no stop has two places left");
    const expectPlaces = async (taken: number) => {
      const { stops } = (await fetchInfo(run.visitor)).campaign;
      expect(stops.find((one) => one.stop === stop.stop)?.places_left, "places left").toBe(stop.places_left - taken);
    };
    const { booking } = await client.data(contract.makeBooking, payload);
    run.leftovers.push(`a booking of one place at ${stop.stop}, as ${booking.booking_id}`);
    expect(toPayload(booking)).toEqual(payload);
    await expectPlaces(1);
    const change = { party_size: 2, note: "Two" };
    const changed = await client.data(contract.makeBooking, { ...payload, ...change });
    expect(changed.booking).toMatchObject({ booking_id: booking.booking_id, ...change });
    await expectPlaces(2);
    await client.data(contract.makeBooking, payload);
    await expectPlaces(1);
    expect((await fetchInfo(client)).booking?.booking_id).toBe(booking.booking_id);
  },

  "an unknown stop or campaign returns 10003, invalid values 10002 with the field in data.fields": async (run) => {
    const client = getClient(run);
    const { payload } = await prepareBooking(client);
    for (const unknown of [{ stop: missing.uid }, { campaign: missing.uid }])
      await client.expectCode("notFound", contract.makeBooking, { ...payload, ...unknown });
    await client.expectInvalid(contract.makeBooking, payload, invalidValues);
  },

  "another member's booking is not returned": async (run) => {
    const { booking } = await fetchInfo(getClient(run));
    const second = (await fetchInfo(getSecondClient(run))).booking;
    if (booking) expect(second?.booking_id).not.toBe(booking.booking_id);
  },

  "the extension for one campaign returns the same, and 10003 for an unknown one; a server without it returns 404": async ({
    visitor,
  }) => {
    const info = await fetchInfo(visitor);
    const payload = { campaign: info.campaign.uid };
    if ((await visitor.call(contract.bookingCampaign, payload)).status === 404)
      return skip("the server does not have this extension");
    expect(await visitor.data(contract.bookingCampaign, payload)).toEqual({ ...info, server_time: expect.any(String) });
    await visitor.expectCode("notFound", contract.bookingCampaign, { campaign: "no-such-campaign" });
  },

  "the extension withdraws a booking, also twice, and it can be made again; a server without it offers none": async (run) => {
    const client = getClient(run);
    const { booking, campaign } = await fetchInfo(client);
    if (!booking?.actions?.cancel)
      return skip("the server does not have this extension, or this member has no booking to withdraw");
    const getPlaces = ({ campaign: { stops } }: { campaign: typeof campaign }) =>
      stops.find(({ stop }) => stop === booking.stop)?.places_left ?? Number.NaN;
    const payload = { campaign: campaign.uid };
    const info = await client.data(contract.bookingCancel, payload);
    expect([info.campaign.uid, info.booking]).toEqual([campaign.uid, null]);
    const before = getPlaces({ campaign });
    expect(getPlaces(await fetchInfo(run.visitor)), "places left").toBe(before + booking.party_size);
    expect((await client.data(contract.bookingCancel, payload)).booking, "after a repeat").toBeNull();
    await client.data(contract.makeBooking, toPayload(booking));
    expect(getPlaces(await fetchInfo(run.visitor)), "places left after booking again").toBe(before);
    await client.expectCode("notFound", contract.bookingCancel, { campaign: missing.uid });
  },
};
