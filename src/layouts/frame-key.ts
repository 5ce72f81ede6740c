import { createHash } from "node:crypto";
import { locales } from "../../i18n/locale.ts";
import { getSite } from "../content/site.ts";
import { getCurrentCampaign } from "../features/campaign/content.ts";
import { getEvents } from "../features/event/content.ts";

/** Returns what the frame of every page, and the show beside a text, take from the content: the `cacheKey` of a page holds it. */
export async function getFrameKey(now = new Date()): Promise<string> {
  const parts = locales.map(async (locale) => {
    const events = (await getEvents(locale)).map(({ id, digest, data }) => [id, digest, data.ends_at > now]);
    return [await getSite(locale), await getCurrentCampaign(locale), events];
  });
  const text = JSON.stringify([now.getFullYear(), ...(await Promise.all(parts))]);
  return createHash("sha256").update(text).digest("hex");
}
