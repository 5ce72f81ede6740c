import { fetchPublic, getField, getList } from "../../api/fetch-public.ts";
import { bookingCampaignPath, bookingInfoPath } from "../../api/paths.ts";

export interface StopTexts {
  open: string;
  few: string;
  full: string;
}

/** Up to this number of places, a stop shows what is left. */
const lowPlaces = 20;

/** Shows how many places each stop of the page's campaign has left. A failure leaves the texts empty. */
export async function showStopAvailability(texts: StopTexts): Promise<void> {
  const shown = document.querySelector<HTMLElement>("[data-campaign]")?.dataset.campaign;
  let campaign = getField(await fetchPublic(bookingInfoPath).catch(() => null), "campaign");
  if (getField(campaign, "uid") !== shown)
    campaign = getField(await fetchPublic(bookingCampaignPath, { campaign: shown }), "campaign");
  const stops = getList(campaign, "stops");
  for (const element of document.querySelectorAll<HTMLElement>("[data-stop]")) {
    const left = stops.find(({ stop }) => stop === element.dataset.stop)?.places_left;
    if (typeof left !== "number") continue;
    element.toggleAttribute("data-full", left <= 0);
    if (left <= 0) element.textContent = texts.full;
    else element.textContent = left <= lowPlaces ? texts.few.replace("{n}", String(left)) : texts.open;
  }
}
