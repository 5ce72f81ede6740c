import type { Activity } from "../../api/activity.ts";
import { fetchPublic, getList } from "../../api/fetch-public.ts";
import { activityInfoPath } from "../../api/paths.ts";
import { formatMonthDay } from "../../lib/date.ts";

export interface AvailabilityTexts {
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

/** What an activity's tag says of it, and in which tone. */
function tagOf(
  { my_status, check_in_code, status, opens_at, capacity, booked }: Known,
  texts: AvailabilityTexts,
): [string, string] {
  const left = capacity - booked;
  if (my_status) return ["tag-wash", texts.mine.replace("{code}", check_in_code ?? "")];
  if (status === "not_open") return ["tag-line", texts.notOpen.replace("{date}", formatMonthDay(new Date(opens_at)))];
  if (status === "full" || status === "closed") return ["", texts[status]];
  return left <= 50 ? ["tag-warn", texts.few.replace("{n}", String(left))] : ["tag-on", texts.open];
}

/** Shows the face of the way to a place that fits: green while there is a way in, one's own ticket, or why the door is shut. */
function showWay(way: HTMLElement, { my_status, check_in_code, status }: Known, word: string): void {
  const face = my_status ? "mine" : status === "open" ? "open" : "shut";
  const set = (name: string, text: string) => {
    const place = way.querySelector(`[data-${name}]`);
    if (place) place.textContent = text;
  };
  set("code", check_in_code ?? "");
  set("word", word);
  way.dataset.live = "";
  for (const one of way.querySelectorAll<HTMLElement>("[data-face]")) one.hidden = one.dataset.face !== face;
}

function hideWay(way: HTMLElement): void {
  way.hidden = true;
  document.body.classList.remove("has-buybar");
}

/** Fills the places that wait for an activity's state with places left or what is the visitor's own. A failure leaves them as they are. */
export async function showAvailability(texts: AvailabilityTexts): Promise<void> {
  const list = getList(await fetchPublic(activityInfoPath), "list").filter(isKnown);
  for (const place of document.querySelectorAll<HTMLElement>("[data-activity], [data-way]")) {
    const activity = list.find((one) => one.activity_uid === (place.dataset.activity ?? place.dataset.way));
    if (!activity) {
      // What has gone since the site was built cannot be booked.
      if (place.dataset.way) hideWay(place);
      continue;
    }
    const [kind, text] = tagOf(activity, texts);
    if (place.dataset.way) showWay(place, activity, text);
    else {
      const tag = document.createElement("span");
      tag.className = `tag ${kind}`;
      tag.textContent = text;
      place.replaceChildren(tag);
    }
  }
}
