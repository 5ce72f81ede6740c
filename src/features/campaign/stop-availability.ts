import { fetchPublic, getField, getList } from "#src/api/fetch-public.ts";
import { bookingCampaignPath, bookingInfoPath } from "#src/api/paths.ts";

export interface StopTexts {
  open: string;
  few: string;
  full: string;
}

/** Up to this number of places, a stop shows what is left. */
const lowPlaces = 20;

let latestCall = 0;

/** Shows how many places each stop of the page's campaign has left, and which one the visitor has booked. A failure leaves the texts empty. */
export async function showStopAvailability(texts: StopTexts): Promise<void> {
  const { campaign: shown, mine = "", cancelled = "" } = document.querySelector<HTMLElement>("[data-campaign]")?.dataset ?? {};
  latestCall += 1;
  const call = latestCall;
  let data = await fetchPublic(bookingInfoPath).catch(() => null);
  if (getField(getField(data, "campaign"), "uid") !== shown) data = await fetchPublic(bookingCampaignPath, { campaign: shown });
  // An answer from before a booking or a withdrawal may come after the one from behind it.
  if (call !== latestCall) return;
  const stops = getList(getField(data, "campaign"), "stops");
  const booking = getField(data, "booking");
  const own = getField(booking, "stop");
  for (const element of document.querySelectorAll<HTMLElement>("[data-stop]")) {
    const { places_left: left, status } = stops.find(({ stop }) => stop === element.dataset.stop) ?? {};
    if (typeof left !== "number") continue;
    const isCancelled = status === "cancelled";
    const isOwn = element.dataset.stop === own && !isCancelled;
    element.toggleAttribute("data-own", isOwn);
    element.toggleAttribute("data-full", left <= 0 && !isOwn);
    if (isCancelled) element.textContent = cancelled;
    else if (isOwn) element.textContent = mine;
    else if (left <= 0) element.textContent = texts.full;
    else element.textContent = left <= lowPlaces ? texts.few.replace("{n}", String(left)) : texts.open;
  }
  showOwnLine(
    stops.find(({ stop, status }) => stop === own && status !== "cancelled"),
    getField(booking, "check_in_code"),
  );
}

/** Shows the code of the visitor's booking on phones in the tab bar's place, wherever on the page they are. */
function showOwnLine(stop: Record<string, unknown> | undefined, code: unknown): void {
  const line = document.querySelector<HTMLElement>("[data-own-line]");
  if (!line) return;
  const [city, number] = [line.querySelector("[data-own-city]"), line.querySelector("[data-own-code]")];
  const isShown = typeof code === "string" && typeof stop?.city === "string";
  if (isShown && city && number) {
    city.textContent = String(stop.city);
    number.textContent = code.replace(/.{4}(?=.)/g, "$& ");
  }
  line.hidden = !isShown;
  document.querySelector(".tabbar")?.toggleAttribute("hidden", isShown);
}
