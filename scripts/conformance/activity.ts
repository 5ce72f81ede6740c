import type { Activity } from "../../src/api/activity.ts";
import { contract } from "../../src/api/contract.ts";
import { codes } from "../../src/api/envelope.ts";
import { assert, assertEqual, CheckSkipped } from "./client.ts";
import { type ConformanceContext, type Group, getSecondToken, getToken, missing } from "./context.ts";

const fetchActivities = (context: ConformanceContext, token = "") =>
  context.client.data(contract.activityInfo, undefined, { token });
const errorsByStatus = { not_open: "bookingClosed", closed: "bookingClosed", full: "full" } as const;

function getStatus({ opens_at, closes_at, booked, capacity }: Activity, time: string): Activity["status"] {
  const at = Date.parse(time);
  if (at < Date.parse(opens_at)) return "not_open";
  if (at >= Date.parse(closes_at)) return "closed";
  return booked >= capacity ? "full" : "open";
}

export const activity: Group = {
  name: "activities",
  checks: [
    [
      "each activity has the status that follows from its times and seats, and no data of a member for a visitor",
      async (context) => {
        const { list, server_time } = await fetchActivities(context);
        for (const listed of list) {
          assertEqual(listed.status, getStatus(listed, server_time), `the status of ${listed.activity_uid}`);
          assert(
            listed.booked <= listed.capacity,
            `${listed.activity_uid} has ${listed.booked} of ${listed.capacity} seats booked`,
          );
          assertEqual(
            [listed.my_status, listed.check_in_code],
            [null, null],
            `my_status and check_in_code of ${listed.activity_uid} for a visitor`,
          );
        }
      },
    ],
    [
      "an open activity can be booked once",
      async (context) => {
        const token = getToken(context);
        const { list } = await fetchActivities(context, token);
        const bookable = list.filter(({ status, my_status }) => status === "open" && my_status === null);
        const [before] = bookable.toSorted((a, b) => b.capacity - b.booked - (a.capacity - a.booked));
        if (!before) throw new CheckSkipped("no activity is open for booking by this member");
        const { activity_uid } = before;
        const { activity } = await context.client.data(contract.activityBooking, { activity_uid }, { token });
        context.leftovers.push(`a seat at ${activity_uid}`);
        assertEqual(
          [activity.activity_uid, activity.booked, activity.my_status],
          [activity_uid, before.booked + 1, "booked"],
          "the activity",
        );
        assert(activity.check_in_code !== null, "check_in_code is null after booking");
        await context.client.expectError("alreadyBooked", contract.activityBooking, { activity_uid }, { token });
        const listedActivity = (await fetchActivities(context, token)).list.find(
          (listed) => listed.activity_uid === activity_uid,
        );
        assertEqual(listedActivity, activity, "the activity in the list");
      },
    ],
    [
      "booking the same activity again returns 50002",
      async (context) => {
        const token = getToken(context);
        const bookedActivity = (await fetchActivities(context, token)).list.find(({ my_status }) => my_status === "booked");
        if (!bookedActivity) throw new CheckSkipped("this member has booked no activity");
        await context.client.expectError(
          "alreadyBooked",
          contract.activityBooking,
          { activity_uid: bookedActivity.activity_uid },
          { token },
        );
      },
    ],
    [
      "the extension gives a seat back, also twice, and it can be booked again; a server without it offers none",
      async (context) => {
        const token = getToken(context);
        const own = (await fetchActivities(context, token)).list.find(({ actions }) => actions?.cancel);
        if (!own) throw new CheckSkipped("the server does not have this extension, or this member has no seat to give back");
        const payload = { activity_uid: own.activity_uid };
        const { activity } = await context.client.data(contract.activityCancel, payload, { token });
        assertEqual([activity.my_status, activity.check_in_code], [null, null], "my_status and check_in_code");
        assert(activity.booked < own.booked, "the seat is not free");
        assert(activity.actions === undefined, "a seat that was given back can be given back");
        const again = await context.client.data(contract.activityCancel, payload, { token });
        assertEqual(again.activity.my_status, null, "my_status after a repeat");
        if (activity.status === "open") {
          const { activity: second } = await context.client.data(contract.activityBooking, payload, { token });
          assertEqual(second.my_status, "booked", "my_status after booking again");
        }
        const unknown = { activity_uid: missing.uid };
        await context.client.expectError("notFound", contract.activityCancel, unknown, { token });
      },
    ],
    [
      "booking a full activity returns 50001, outside of its booking time 50003",
      async (context) => {
        const token = getToken(context);
        const { list } = await fetchActivities(context, token);
        const unbookedActivities = list.filter(({ my_status }) => my_status === null);
        let rejectionCount = 0;
        for (const { activity_uid, status } of unbookedActivities) {
          if (status === "open") continue;
          await context.client.expectError(errorsByStatus[status], contract.activityBooking, { activity_uid }, { token });
          rejectionCount += 1;
        }
        if (rejectionCount === 0) throw new CheckSkipped("every activity is open");
      },
    ],
    [
      "an unknown activity returns 10003",
      async (context) => {
        await context.client.expectError(
          "notFound",
          contract.activityBooking,
          { activity_uid: missing.uid },
          { token: getToken(context) },
        );
      },
    ],
    [
      "another member's check-in code is not returned",
      async (context) => {
        const { list } = await fetchActivities(context, getToken(context));
        const { text, envelope } = await context.client.call(contract.activityInfo, undefined, {
          token: getSecondToken(context),
        });
        assertEqual(envelope?.code, codes.success, "the code");
        for (const { check_in_code } of list)
          assert(check_in_code === null || !text.includes(check_in_code), "the second member receives the check-in code");
      },
    ],
  ],
};
