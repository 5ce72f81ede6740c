import type { Booking } from "../../src/api/booking.ts";
import { contract } from "../../src/api/contract.ts";
import { assert, assertEqual, CheckSkipped } from "./client.ts";
import { type ConformanceContext, type Group, getSecondToken, getToken, missing, requireValue } from "./context.ts";

const fetchInfo = (context: ConformanceContext, token = "") => context.client.data(contract.bookingInfo, undefined, { token });

/** Returns a payload for the stop with most places, and whether booking is open. */
async function prepareBooking(context: ConformanceContext) {
  const { campaign, server_time, booking } = await fetchInfo(context, getToken(context));
  const isOpen = campaign.opens_at <= server_time && server_time < campaign.closes_at;
  const stop = requireValue(campaign.stops.toSorted((a, b) => b.places_left - a.places_left)[0], "the campaign has no stop");
  const payload = {
    campaign: campaign.uid,
    stop: stop.stop,
    name: "Conformance",
    mobile: "13800138000",
    party_size: 1,
    note: "",
  };
  return { isOpen, payload, stop, booking };
}

const fetchPlacesLeft = async (context: ConformanceContext, stop: string) =>
  (await fetchInfo(context)).campaign.stops.find((listed) => listed.stop === stop)?.places_left ?? Number.NaN;
const pickPayloadFields = ({ campaign, stop, name, mobile, party_size, note }: Booking) => ({
  campaign,
  stop,
  name,
  mobile,
  party_size,
  note,
});

export const booking: Group = {
  name: "bookings",
  checks: [
    [
      "a visitor receives the campaign without a booking",
      async (context) => {
        const { booking, campaign } = await fetchInfo(context);
        assert(booking === null, "a visitor has a booking");
        assert(campaign.opens_at < campaign.closes_at, "the campaign closes before it opens");
        assert(
          campaign.stops.every(({ places_left }) => places_left >= 0),
          "a stop has fewer than 0 places left",
        );
        assert(
          campaign.stops.every(({ status, places_left }) => status !== "cancelled" || places_left === 0),
          "a cancelled stop has places left",
        );
        assert(
          campaign.stops.every(({ status, moved_from }) => moved_from === undefined || status === "moved"),
          "a stop that has not moved has an old start",
        );
      },
    ],
    [
      "a booking is created, a repeat changes it, and the places left follow",
      async (context) => {
        const token = getToken(context);
        const { isOpen, payload, stop, booking: earlier } = await prepareBooking(context);
        if (!isOpen) throw new CheckSkipped("booking is not open");
        if (earlier) throw new CheckSkipped("this member has booked before");
        if (stop.places_left < 2) throw new CheckSkipped("no stop has two places left");
        const created = (await context.client.data(contract.makeBooking, payload, { token })).booking;
        context.leftovers.push(`a booking of one place at ${stop.stop}, as ${created.booking_id}`);
        assertEqual(pickPayloadFields(created), payload, "the booking");
        assertEqual(await fetchPlacesLeft(context, stop.stop), stop.places_left - 1, "the places left after one was booked");
        const changed = (await context.client.data(contract.makeBooking, { ...payload, party_size: 2, note: "Two" }, { token }))
          .booking;
        assertEqual(
          [changed.booking_id, changed.party_size, changed.note],
          [created.booking_id, 2, "Two"],
          "the booking after a repeat",
        );
        assertEqual(await fetchPlacesLeft(context, stop.stop), stop.places_left - 2, "the places left after two were booked");
        await context.client.data(contract.makeBooking, payload, { token });
        assertEqual(
          await fetchPlacesLeft(context, stop.stop),
          stop.places_left - 1,
          "the places left after one was given back",
        );
        assertEqual((await fetchInfo(context, token)).booking?.booking_id, created.booking_id, "booking_id in booking/info");
      },
    ],
    [
      "booking outside of its time returns 50003",
      async (context) => {
        const { isOpen, payload } = await prepareBooking(context);
        if (isOpen) throw new CheckSkipped("booking is open");
        await context.client.expectError("bookingClosed", contract.makeBooking, payload, { token: getToken(context) });
      },
    ],
    [
      "an unknown stop or campaign returns 10003, invalid values 10002",
      async (context) => {
        const token = getToken(context);
        const { payload } = await prepareBooking(context);
        await context.client.expectError("notFound", contract.makeBooking, { ...payload, stop: missing.uid }, { token });
        await context.client.expectError("notFound", contract.makeBooking, { ...payload, campaign: missing.uid }, { token });
        for (const invalid of [
          { party_size: 0 },
          { party_size: 5 },
          { party_size: "1" },
          { note: "x".repeat(201) },
          { mobile: "123" },
          { mobile: "1-415-555-2671" },
          { name: "" },
        ]) {
          await context.client.expectError("badParameter", contract.makeBooking, { ...payload, ...invalid }, { token });
        }
      },
    ],
    [
      "another member's booking is not returned",
      async (context) => {
        const booking = (await fetchInfo(context, getToken(context))).booking;
        const secondBooking = (await fetchInfo(context, getSecondToken(context))).booking;
        assert(booking === null || secondBooking?.booking_id !== booking.booking_id, "the second member receives the booking");
      },
    ],
    [
      "the extension for one campaign returns the same, and 10003 for an unknown one; a server without it returns 404",
      async (context) => {
        const { campaign } = await fetchInfo(context);
        const { status } = await context.client.call(contract.bookingCampaign, { campaign: campaign.uid });
        if (status === 404) throw new CheckSkipped("the server does not have this extension");
        const response = await context.client.data(contract.bookingCampaign, { campaign: campaign.uid });
        assertEqual({ ...response, server_time: 0 }, { ...(await fetchInfo(context)), server_time: 0 }, "the campaign");
        await context.client.expectError("notFound", contract.bookingCampaign, { campaign: "no-such-campaign" });
      },
    ],
    [
      "the extension withdraws a booking, also twice, and it can be made again; a server without it offers none",
      async (context) => {
        const token = getToken(context);
        const { booking, campaign } = await fetchInfo(context, token);
        if (!booking?.actions?.cancel)
          throw new CheckSkipped("the server does not have this extension, or this member has no booking to withdraw");
        const payload = { campaign: campaign.uid };
        const before = await fetchPlacesLeft(context, booking.stop);
        const info = await context.client.data(contract.bookingCancel, payload, { token });
        assertEqual([info.campaign.uid, info.booking], [campaign.uid, null], "campaign and booking");
        assertEqual(await fetchPlacesLeft(context, booking.stop), before + booking.party_size, "the places left");
        assertEqual((await context.client.data(contract.bookingCancel, payload, { token })).booking, null, "after a repeat");
        await context.client.data(contract.makeBooking, pickPayloadFields(booking), { token });
        assertEqual(await fetchPlacesLeft(context, booking.stop), before, "the places left after booking again");
        const unknown = { campaign: missing.uid };
        await context.client.expectError("notFound", contract.bookingCancel, unknown, { token });
      },
    ],
  ],
};
