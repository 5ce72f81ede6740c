import { fetchPublic, getField, getList } from "../../api/fetch-public.ts";
import { bookingCampaignPath, bookingInfoPath } from "../../api/paths.ts";

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
  const { campaign: shown, mine = "" } = document.querySelector<HTMLElement>("[data-campaign]")?.dataset ?? {};
  latestCall += 1;
  const call = latestCall;
  let data = await fetchPublic(bookingInfoPath).catch(() => null);
  if (getField(getField(data, "campaign"), "uid") !== shown) data = await fetchPublic(bookingCampaignPath, { campaign: shown });
  // An answer from before a booking or a withdrawal may come after the one from behind it.
  if (call !== latestCall) return;
  const stops = getList(getField(data, "campaign"), "stops");
  const own = getField(getField(data, "booking"), "stop");
  for (const element of document.querySelectorAll<HTMLElement>("[data-stop]")) {
    const left = stops.find(({ stop }) => stop === element.dataset.stop)?.places_left;
    if (typeof left !== "number") continue;
    const isOwn = element.dataset.stop === own;
    element.toggleAttribute("data-own", isOwn);
    element.toggleAttribute("data-full", left <= 0 && !isOwn);
    if (isOwn) element.textContent = mine;
    else if (left <= 0) element.textContent = texts.full;
    else element.textContent = left <= lowPlaces ? texts.few.replace("{n}", String(left)) : texts.open;
  }
}
