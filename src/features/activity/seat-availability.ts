import type { Activity } from "#src/api/activity.ts";
import { fetchPublic, getField, getList } from "#src/api/fetch-public.ts";
import { activityInfoPath } from "#src/api/paths.ts";
import { formatOpening, formatShortDate, getShortForm, speakDate, speakOpening } from "#src/lib/date.ts";

export interface AvailabilityTexts {
  open: string;
  few: string;
  full: string;
  closed: string;
  notOpen: string;
  /** Of a show that passes book earlier: before they may, once some of them may, and all. */
  notOpenAll: string;
  toSomePasses: string;
  toPasses: string;
  mine: string;
}

type Availability = Pick<
  Activity,
  "activity_uid" | "capacity" | "booked" | "status" | "opens_at" | "my_opens_at" | "my_status" | "check_in_code" | "early"
>;

function isAvailability(activity: Record<string, unknown>): activity is Availability {
  const texts = [activity.activity_uid, activity.status, activity.opens_at].every((value) => typeof value === "string");
  return texts && [activity.capacity, activity.booked].every((value) => typeof value === "number");
}

// Reading pages load this file without `lib/format.ts`.
const groupLetters = (code: string | null | undefined) => code?.replace(/.{4}(?=.)/g, "$& ") ?? "";

/** Returns an activity's state for this visitor, the word for it, and the date of which the word has the place. */
function getState(
  { my_status, status, opens_at, my_opens_at = opens_at, early = [], capacity, booked }: Availability,
  texts: AvailabilityTexts,
): [state: string, text: string, date?: Date] {
  const left = capacity - booked;
  if (my_status) return ["mine", texts.mine];
  if (status === "not_open") {
    const isForAll = early.length > 0 && my_opens_at === opens_at;
    const open = early.filter((one) => Date.parse(one.opens_at) <= Date.now());
    if (isForAll && open.length > 0) return ["soon", open.length < early.length ? texts.toSomePasses : texts.toPasses];
    const opens = isForAll ? texts.notOpenAll : texts.notOpen;
    return ["soon", opens, new Date(my_opens_at)];
  }
  if (status === "full" || status === "closed") return ["shut", texts[status]];
  return left <= 50 ? ["few", texts.few.replace("{n}", String(left))] : ["open", texts.open];
}

/** Shows the face of a booking link that fits the activity. */
function showBookingLink(
  link: HTMLElement,
  { check_in_code, opens_at, my_opens_at }: Availability,
  state: string,
  text: string,
): void {
  const set = (name: string, value: string) => {
    const target = link.querySelector(`[data-${name}]`);
    if (target) target.textContent = value;
  };
  const code = groupLetters(check_in_code);
  set("code", code);
  const line = link.querySelector<HTMLElement>("[data-line]");
  if (line) {
    // A page of the back/forward cache may show the code of a seat that was given back.
    line.dataset.line ||= line.textContent;
    line.textContent = code || line.dataset.line;
  }
  const opening = [new Date(my_opens_at ?? opens_at), document.documentElement.lang, Date.now()] as const;
  set("date", formatOpening(...opening));
  set("heard", speakOpening(...opening));
  const label = link.querySelector<HTMLElement>("[data-own-hour]");
  if (label) {
    label.dataset.everyone ||= label.textContent;
    const { ownHour = "", everyone = "" } = label.dataset;
    label.textContent = my_opens_at && my_opens_at !== opens_at ? ownHour : everyone;
  }
  if (state === "shut") set("word", text);
  link.dataset.live = "";
  const face = state === "few" ? "open" : state;
  for (const element of link.querySelectorAll<HTMLElement>("[data-face]")) element.hidden = element.dataset.face !== face;
}

let stopClock: ReturnType<typeof setInterval> | undefined;

/** Counts down to the hours at which booking opens, by the server's clock; shows the link to it, and runs `onOpen`, when one has come. */
function showOpenings(serverTime: number, onOpen: () => void): void {
  clearInterval(stopClock);
  const template = document.querySelector<HTMLElement>("[data-opens-in]")?.dataset.opensIn;
  const loadedAt = performance.now();
  if (!template || !serverTime) return;
  const tick = () => {
    const now = serverTime + performance.now() - loadedAt;
    for (const element of document.querySelectorAll<HTMLElement>("[data-opens]")) {
      const seconds = Math.ceil((Date.parse(element.dataset.opens ?? "") - now) / 1000);
      const [date, link] = element.parentElement?.children ?? [];
      date?.toggleAttribute("hidden", seconds <= 0);
      link?.toggleAttribute("hidden", seconds > 0);
      const before = element.textContent;
      element.textContent = seconds > 0 ? formatSecondsLeft(seconds, template) : "";
      if (before && seconds <= 0) onOpen();
    }
  };
  tick();
  stopClock = setInterval(tick, 1000);
}

/** `还有 3 天`, in the last two days `还有 27:04:05`, and nothing while it is far away, as `isFarAway` has it: the build reserves no line then. */
function formatSecondsLeft(seconds: number, template: string): string {
  const time = [seconds / 3600, seconds / 60, seconds]
    .map((part, index) => String(Math.floor(part) % (index ? 60 : 48)).padStart(2, "0"))
    .join(":");
  const days = seconds / 86_400;
  if (days > 99) return "";
  if (days >= 2) return template.replace("{days}", String(Math.round(days))).replace(" {time}", "");
  return template.replace(/\{days\}\D*?(?=\{)/, "").replace("{time}", time);
}

function hideBookingLink(link: HTMLElement): void {
  link.hidden = true;
  // Its only class: the page has no bar any more.
  document.body.removeAttribute("class");
}

/** Returns a text with a date as it is drawn, and in words for who hears it. */
function drawDated(text: string, date: Date): HTMLElement[] {
  const [shown, heard] = [document.createElement("span"), document.createElement("span")];
  const now = Date.now();
  shown.ariaHidden = "true";
  shown.textContent = text.replace("{date}", formatShortDate(date, now));
  heard.className = "sr-only";
  heard.textContent = text.replace("{date}", speakDate(date, getShortForm(date, now), document.documentElement.lang));
  return [shown, heard];
}

/** Fills states and booking links of activities with the seats left or the visitor's own booking. Rejects without a change when the call fails. */
export async function showAvailability(texts: AvailabilityTexts): Promise<void> {
  const data = await fetchPublic(activityInfoPath);
  const list = getList(data, "list").filter(isAvailability);
  showOpenings(Date.parse(String(getField(data, "server_time"))), () => void showAvailability(texts).catch(() => {}));
  for (const element of document.querySelectorAll<HTMLElement>("[data-activity], [data-way]")) {
    const activity = list.find(({ activity_uid }) => activity_uid === (element.dataset.activity ?? element.dataset.way));
    if (!activity) {
      // The activity was removed after the build, and cannot be booked.
      if (element.dataset.way) hideBookingLink(element);
      continue;
    }
    const [state, text, date] = getState(activity, texts);
    if (element.dataset.way) showBookingLink(element, activity, state, text);
    else {
      element.dataset.state = state;
      element.replaceChildren(...(date ? drawDated(text, date) : [text]));
    }
  }
}
