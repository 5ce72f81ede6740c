import * as v from "valibot";
import { call, integer, time, typeOnly, uid } from "./call.ts";
import { activityInfoPath } from "./paths.ts";

export const activity = v.object({
  activity_uid: v.string(),
  title: v.string(),
  starts_at: time,
  ends_at: time,
  venue: v.string(),
  city: v.string(),
  capacity: integer,
  booked: integer,
  status: v.picklist(["not_open", "open", "full", "closed"]),
  opens_at: time,
  closes_at: time,
  my_status: v.nullable(v.picklist(["booked"])),
  check_in_code: v.nullable(v.string()),
  /** When booking opens for members with a pass of at least this level. */
  early: v.optional(v.array(v.object({ level: integer, opens_at: time }))),
  /** When booking opens for the session's member. */
  my_opens_at: v.optional(time),
  /** Of a booked seat. `cancel`: `activityCancel` is served, and the seat can be given back. */
  actions: v.optional(v.object({ cancel: v.boolean() })),
});
export type Activity = v.InferOutput<typeof activity>;

/** Returns the next activity after a time that can be booked, else the last one before it that is still to come, of a list by time. Times are in ms since the epoch. */
export function findNextOpen<Listed extends Pick<Activity, "activity_uid" | "starts_at" | "status">>(
  list: readonly Listed[],
  { activity_uid, starts_at }: Pick<Activity, "activity_uid" | "starts_at">,
  now: number,
): Listed | undefined {
  const others = list.filter(
    (other) => other.activity_uid !== activity_uid && other.status === "open" && Date.parse(other.starts_at) > now,
  );
  return others.find((other) => Date.parse(other.starts_at) > Date.parse(starts_at)) ?? others.at(-1);
}

export const activityInfo = call({
  ...activityInfoPath,
  access: "public",
  notify: false,
  data: v.object({ list: v.array(activity), server_time: time }),
});

export const activityPayload = () => v.object({ activity_uid: uid });

export const activityBooking = call({
  method: "POST",
  path: "/v1/activity/booking",
  access: "session",
  notify: true,
  payload: typeOnly<typeof activityPayload>(),
  data: v.object({ activity }),
});

/** Gives the seat back until booking closes. A repeat, or a call without a booking, returns the activity as it is; a checked-in seat is kept with 10006. */
export const activityCancel = call({
  extension: true,
  method: "POST",
  path: "/v1/activity/cancel",
  access: "session",
  notify: true,
  payload: typeOnly<typeof activityPayload>(),
  data: v.object({ activity }),
});
