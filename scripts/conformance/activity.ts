import type { Activity } from "../../src/api/activity.ts";
import { codes } from "../../src/api/envelope.ts";
import { table } from "../../src/api/table.ts";
import { type ConformanceContext, type Group, getStrangerToken, getToken, missing } from "./context.ts";
import { assert, assertEqual, Skipped } from "./outcome.ts";

const fetchActivities = (context: ConformanceContext, token = "") =>
  context.client.data(table.activityInfo, undefined, { token });
const refusals = { not_open: "bookingClosed", closed: "bookingClosed", full: "full" } as const;

function statusAt({ opens_at, closes_at, booked, capacity }: Activity, time: string): Activity["status"] {
  const at = Date.parse(time);
  if (at < Date.parse(opens_at)) return "not_open";
  if (at >= Date.parse(closes_at)) return "closed";
  return booked >= capacity ? "full" : "open";
}

export const activity: Group = {
  name: "activities",
  checks: [
    [
      "each has the status of its times and places, and nothing of a visitor's",
      async (context) => {
        const { list, server_time } = await fetchActivities(context);
        for (const one of list) {
          assertEqual(one.status, statusAt(one, server_time), `the status of ${one.activity_uid}`);
          assert(one.booked <= one.capacity, `${one.activity_uid} has ${one.booked} of ${one.capacity} seats booked`);
          assertEqual(
            [one.my_status, one.check_in_code],
            [null, null],
            `my_status and check_in_code of ${one.activity_uid} for a visitor`,
          );
        }
      },
    ],
    [
      "an open one is booked, once",
      async (context) => {
        const token = getToken(context);
        const { list } = await fetchActivities(context, token);
        const free = list.filter(({ status, my_status }) => status === "open" && my_status === null);
        const [before] = free.toSorted((one, other) => other.capacity - other.booked - (one.capacity - one.booked));
        if (!before) throw new Skipped("no activity is open that this member has not booked");
        const { activity_uid } = before;
        const { activity } = await context.client.data(table.activityBooking, { activity_uid }, { token });
        context.left.push(`a seat at ${activity_uid}`);
        assertEqual(
          [activity.activity_uid, activity.booked, activity.my_status],
          [activity_uid, before.booked + 1, "booked"],
          "the activity",
        );
        assert(activity.check_in_code !== null, "there is no check-in code");
        await context.client.expectError("alreadyBooked", table.activityBooking, { activity_uid }, { token });
        const own = (await fetchActivities(context, token)).list.find((one) => one.activity_uid === activity_uid);
        assertEqual(own, activity, "the activity in the list");
      },
    ],
    [
      "one that was booked is refused with 50002",
      async (context) => {
        const token = getToken(context);
        const mine = (await fetchActivities(context, token)).list.find(({ my_status }) => my_status === "booked");
        if (!mine) throw new Skipped("this member has booked none");
        await context.client.expectError(
          "alreadyBooked",
          table.activityBooking,
          { activity_uid: mine.activity_uid },
          { token },
        );
      },
    ],
    [
      "full ones are refused with 50001, those out of their time with 50003",
      async (context) => {
        const token = getToken(context);
        const { list } = await fetchActivities(context, token);
        const shut = list.filter(({ my_status }) => my_status === null);
        let tried = 0;
        for (const { activity_uid, status } of shut) {
          if (status === "open") continue;
          await context.client.expectError(refusals[status], table.activityBooking, { activity_uid }, { token });
          tried += 1;
        }
        if (tried === 0) throw new Skipped("every activity is open");
      },
    ],
    [
      "one that is not there is 10003",
      async (context) => {
        await context.client.expectError(
          "notFound",
          table.activityBooking,
          { activity_uid: missing.uid },
          { token: getToken(context) },
        );
      },
    ],
    [
      "nobody sees another member's check-in code",
      async (context) => {
        const { list } = await fetchActivities(context, getToken(context));
        const { text, envelope } = await context.client.call(table.activityInfo, undefined, {
          token: getStrangerToken(context),
        });
        assertEqual(envelope?.code, codes.success, "the code");
        for (const { check_in_code } of list)
          assert(check_in_code === null || !text.includes(check_in_code), "a stranger sees it");
      },
    ],
  ],
};
