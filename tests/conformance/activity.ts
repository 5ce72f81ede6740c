import { expect } from "vitest";
import type { Activity } from "#src/api/activity.ts";
import { contract } from "#src/api/contract.ts";
import type { Client } from "./client.ts";
import { type Checks, getClient, getSecondClient, missing, need, skip } from "./run.ts";

const fetchList = async (client: Client) => (await client.data(contract.activityInfo)).list;
const errors = { not_open: "bookingClosed", closed: "bookingClosed", full: "full" } as const;

function getStatus({ opens_at, closes_at, booked, capacity }: Activity, time: string): Activity["status"] {
  const at = Date.parse(time);
  if (at < Date.parse(opens_at)) return "not_open";
  if (at >= Date.parse(closes_at)) return "closed";
  return booked >= capacity ? "full" : "open";
}

export const activity: Checks = {
  "each activity has the status that follows from its times and seats, and no data of a member for a visitor": async ({
    visitor,
  }) => {
    const { list, server_time } = await visitor.data(contract.activityInfo);
    for (const one of list) {
      const none = { my_status: null, check_in_code: null };
      expect(one).toMatchObject({ status: getStatus(one, server_time), ...none });
      expect(one.booked, one.activity_uid).toBeLessThanOrEqual(one.capacity);
    }
  },

  "an open activity can be booked once": async (run) => {
    const client = getClient(run);
    const bookable = (await fetchList(client)).filter(({ status, my_status }) => status === "open" && my_status === null);
    const [emptiest] = bookable.toSorted((a, b) => b.capacity - b.booked - (a.capacity - a.booked));
    const { activity_uid, booked } = need(emptiest, "no activity is open for booking by this member");
    const { activity } = await client.data(contract.activityBooking, { activity_uid });
    run.leftovers.push(`a seat at ${activity_uid}`);
    expect(activity).toMatchObject({
      activity_uid,
      booked: booked + 1,
      my_status: "booked",
      check_in_code: expect.any(String),
    });
    await client.expectCode("alreadyBooked", contract.activityBooking, { activity_uid });
    expect((await fetchList(client)).find((one) => one.activity_uid === activity_uid)).toEqual(activity);
  },

  "booking the same activity again returns 50002": async (run) => {
    const client = getClient(run);
    const booked = (await fetchList(client)).find(({ my_status }) => my_status === "booked");
    const { activity_uid } = need(booked, "this member has booked no activity");
    await client.expectCode("alreadyBooked", contract.activityBooking, { activity_uid });
  },

  "the extension gives a seat back, also twice, and it can be booked again; a server without it offers none": async (run) => {
    const client = getClient(run);
    const own = (await fetchList(client)).find(({ actions }) => actions?.cancel);
    const { activity_uid, booked } = need(
      own,
      "the server does not have this extension, or this member has no seat to give back",
    );
    const { activity } = await client.data(contract.activityCancel, { activity_uid });
    expect(activity).toMatchObject({ my_status: null, check_in_code: null });
    expect(activity.booked, "the seat is free").toBeLessThan(booked);
    expect(activity.actions).toBeUndefined();
    expect((await client.data(contract.activityCancel, { activity_uid })).activity.my_status, "after a repeat").toBeNull();
    if (activity.status === "open") {
      const again = await client.data(contract.activityBooking, { activity_uid });
      expect(again.activity.my_status, "booked again").toBe("booked");
    }
    await client.expectCode("notFound", contract.activityCancel, { activity_uid: missing.uid });
  },

  "booking a full activity returns 50001, outside of its booking time 50003": async (run) => {
    const client = getClient(run);
    const unbooked = (await fetchList(client)).filter(({ my_status }) => my_status === null);
    const refused = unbooked.flatMap(({ activity_uid, status }) => (status === "open" ? [] : [{ activity_uid, status }]));
    if (refused.length === 0) return skip("every activity is open");
    for (const { activity_uid, status } of refused)
      await client.expectCode(errors[status], contract.activityBooking, { activity_uid });
  },

  "an unknown activity returns 10003": async (run) => {
    await getClient(run).expectCode("notFound", contract.activityBooking, { activity_uid: missing.uid });
  },

  "another member's check-in code is not returned": async (run) => {
    const list = await fetchList(getClient(run));
    const { text } = await getSecondClient(run).expectCode("success", contract.activityInfo);
    for (const { check_in_code } of list) if (check_in_code) expect(text).not.toContain(check_in_code);
  },
};
