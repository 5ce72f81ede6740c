import type { Activity } from "../../api/activity.ts";
import { glance, listed } from "../../api/glance.ts";
import { monthDay } from "../../lib/month-day.ts";

export interface PlacesTexts {
  open: string;
  few: string;
  full: string;
  closed: string;
  notOpen: string;
  mine: string;
}

type Known = Pick<Activity, "activity_uid" | "capacity" | "booked" | "status" | "opens_at" | "my_status" | "check_in_code">;

function isKnown(one: Record<string, unknown>): one is Known {
  const texts = [one.activity_uid, one.status, one.opens_at].every((value) => typeof value === "string");
  return texts && [one.capacity, one.booked].every((value) => typeof value === "number");
}

/** Fills the places that wait for an activity's state with places left or what is the visitor's own. A failure leaves them empty. */
export async function showPlaces(texts: PlacesTexts): Promise<void> {
  const list = listed(await glance({ method: "GET", path: "/v1/activity/info" }), "list").filter(isKnown);
  for (const place of document.querySelectorAll<HTMLElement>("[data-activity]")) {
    const activity = list.find((one) => one.activity_uid === place.dataset.activity);
    if (!activity) continue;
    const left = activity.capacity - activity.booked;
    const tag = document.createElement("span");
    const say = (kind: string, text: string) => {
      tag.className = `tag ${kind}`;
      tag.textContent = text;
    };
    if (activity.my_status) say("wash", texts.mine.replace("{code}", activity.check_in_code ?? ""));
    else if (activity.status === "not_open")
      say("line", texts.notOpen.replace("{date}", monthDay(new Date(activity.opens_at))));
    else if (activity.status === "full") say("", texts.full);
    else if (activity.status === "closed") say("", texts.closed);
    else if (left <= 50) say("warn", texts.few.replace("{n}", String(left)));
    else say("on", texts.open);
    place.replaceChildren(tag);
  }
}
