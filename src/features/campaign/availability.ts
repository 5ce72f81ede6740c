import { fetchPublic, getField, getList } from "../../api/fetch-public.ts";
import { bookingInfoPath } from "../../api/paths.ts";

export interface StopTexts {
  open: string;
  few: string;
  full: string;
}

/** Fills the campaign's stops with the places that are left. A failure leaves them empty. */
export async function showStopAvailability(texts: StopTexts): Promise<void> {
  const stops = getList(getField(await fetchPublic(bookingInfoPath), "campaign"), "stops");
  for (const place of document.querySelectorAll<HTMLElement>("[data-stop]")) {
    const left = stops.find((one) => one.stop === place.dataset.stop)?.places_left;
    if (typeof left !== "number") continue;
    if (left <= 0) place.textContent = texts.full;
    else place.textContent = left <= 20 ? texts.few.replace("{n}", String(left)) : texts.open;
  }
}
