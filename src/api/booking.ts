import * as v from "valibot";
import { call, integer, integerBetween, mobile, text, time, typeOnly, uid } from "./call.ts";
import { bookingCampaignPath, bookingInfoPath } from "./paths.ts";

export const booking = v.object({
  booking_id: v.string(),
  campaign: v.string(),
  stop: v.string(),
  name: v.string(),
  mobile: v.string(),
  party_size: integer,
  note: v.string(),
  status: v.picklist(["submitted"]),
  /** What the member shows at the door. */
  check_in_code: v.optional(v.string()),
  /** `cancel`: `bookingCancel` is served, and the booking can be withdrawn: its stop has not begun. `change`: false when it is checked in, its stop has begun, or the campaign has closed or is not on sale. */
  actions: v.optional(v.object({ cancel: v.boolean(), change: v.optional(v.boolean()) })),
  created_at: time,
  updated_at: time,
});
export type Booking = v.InferOutput<typeof booking>;

export const makeBookingPayload = () =>
  v.object({
    campaign: uid,
    stop: uid,
    name: text(1, 25),
    mobile,
    party_size: integerBetween(1, 4),
    note: v.optional(text(0, 200), ""),
  });
export const makeBooking = call({
  method: "POST",
  path: "/v1/booking/makeBooking",
  access: "session",
  notify: true,
  payload: typeOnly<typeof makeBookingPayload>(),
  data: v.object({ booking }),
});

const stop = v.object({
  stop: v.string(),
  city: v.string(),
  venue: v.string(),
  starts_at: time,
  places_left: integer,
  /** A cancelled stop has no places left; who has booked it may choose another one until booking closes. */
  status: v.optional(v.picklist(["scheduled", "cancelled", "moved"])),
  /** When a stop that has moved was to start. */
  moved_from: v.optional(time),
});
export type Stop = v.InferOutput<typeof stop>;

export const bookingInfo = call({
  ...bookingInfoPath,
  access: "public",
  notify: false,
  data: v.object({
    booking: v.nullable(booking),
    campaign: v.object({
      uid: v.string(),
      title: v.string(),
      opens_at: time,
      closes_at: time,
      /** On sale, and the one that the member has booked. */
      stops: v.array(stop),
    }),
    /** The member's bookings of other campaigns, until the day after their stop; with `bookingInfo` alone. */
    others: v.optional(v.array(v.object({ booking, stop, campaign: v.object({ uid: v.string(), title: v.string() }) }))),
    server_time: time,
  }),
});

export const campaignPayload = () => v.object({ campaign: uid });

/** The same of any campaign. */
export const bookingCampaign = call({
  extension: true,
  ...bookingCampaignPath,
  access: "public",
  notify: false,
  payload: typeOnly<typeof campaignPayload>(),
  data: bookingInfo.data,
});

/** Withdraws the booking until its stop begins or the campaign closes. A repeat, or a call without a booking, changes nothing; a checked-in booking is kept with 10006. */
export const bookingCancel = call({
  extension: true,
  method: "POST",
  path: "/v1/booking/cancel",
  access: "session",
  notify: true,
  payload: typeOnly<typeof campaignPayload>(),
  data: bookingInfo.data,
});
