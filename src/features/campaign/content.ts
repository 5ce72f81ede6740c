import { type CollectionEntry, getCollection } from "astro:content";
import { type Locale, locales } from "#i18n/locale.ts";
import { bookingCampaign, bookingInfo } from "#src/api/booking.ts";
import { fetchAtBuild } from "#src/api/fetch-at-build.ts";
import { tints } from "#src/content/picture/tint.ts";
import { groupByLocale, type LocalizedEntry } from "#src/content/translations.ts";
import { formatMonthDay, getShortForm } from "#src/lib/date.ts";
import { withoutAlt } from "#src/lib/picture.ts";
import { toTint } from "#src/lib/tint.ts";
import { type Here, link, toCampaignPage } from "#src/routes.ts";

/** A campaign in the language `locale`; `folder` is its id in URLs. */
export type CampaignText = LocalizedEntry<CollectionEntry<"campaign">, Locale>;

async function readCampaigns() {
  const entries = await getCollection("campaign");
  const sorted = entries.sort((a, b) => a.data.closes_at.getTime() - b.data.closes_at.getTime());
  return groupByLocale(sorted, locales);
}

let cache: ReturnType<typeof readCampaigns> | undefined;

/** Returns all campaigns, each in the given language if written in it, the one that closes first at the top. Caches them during a build; in development they change while the server runs. */
export async function getCampaigns(locale: Locale): Promise<CampaignText[]> {
  cache = import.meta.env.DEV ? readCampaigns() : (cache ?? readCampaigns());
  return [...((await cache).get(locale)?.values() ?? [])];
}

/** Returns the campaign that takes bookings now, or next: by the server, and without one by the content. Null when there is none. */
export async function getCurrentCampaign(locale: Locale): Promise<CampaignText | null> {
  const campaigns = (await getCampaigns(locale)).filter(({ data }) => data.closes_at > new Date());
  const response = await fetchAtBuild(bookingInfo, {}, locale);
  const uid = response === undefined ? campaigns[0]?.folder : response?.campaign.uid;
  return campaigns.find(({ folder }) => folder === uid) ?? null;
}

/** Returns the URL of a campaign's page: the current one has an address that stays. */
export function getCampaignLink({ prefix }: Pick<Here, "prefix">, id: string, current: CampaignText | null): string {
  return id === current?.folder ? link(prefix, "campaign") : link(prefix, "event", { id: toCampaignPage(id) });
}

/** Returns what stands beside a text about a campaign. Throws for an unknown id: the check of the files refuses it. */
export async function getRelatedCampaign(id: string, here: Here) {
  const campaign = (await getCampaigns(here.locale)).find(({ folder }) => folder === id);
  if (!campaign) throw new Error(`campaign/${id} has no text`);
  const { data, locale } = campaign;
  const href = getCampaignLink(here, id, await getCurrentCampaign(here.locale));
  return {
    href,
    title: data.title,
    locale,
    cover: data.cover.bare ?? data.cover,
    days: getDays(campaign, Date.now()),
    transition: `c-${id}`,
  };
}

/** Returns the stops that take place; all of a tour that is cancelled as a whole. */
export function getStops<Stop extends { status: string }>({ stops }: { stops: readonly Stop[] }): readonly Stop[] {
  const remaining = stops.filter(({ status }) => status !== "cancelled");
  return remaining.length > 0 ? remaining : stops;
}

/** Returns the days of the first and the last stop that take place, once where they are the same. With `now`, in ms, the first has its year where it is far away. */
export function getDays({ data }: Pick<CampaignText, "data">, now?: number): { date: Date; form: "date" | "day" }[] {
  const stops = getStops(data);
  const [first, last] = [stops[0]?.starts_at, stops.at(-1)?.starts_at];
  if (!first || !last) return [];
  const days = [{ date: first, form: now === undefined ? "day" : getShortForm(first, now) }];
  return formatMonthDay(first) === formatMonthDay(last) ? days : [...days, { date: last, form: "day" }];
}

/** Returns page and picture of each campaign, by uid. */
export async function getCampaignCards(here: Here) {
  const current = await getCurrentCampaign(here.locale);
  return Object.fromEntries(
    (await getCampaigns(here.locale)).map(({ folder, data }) => [
      folder,
      { href: getCampaignLink(here, folder, current), cover: withoutAlt(data.cover.bare ?? data.cover) },
    ]),
  );
}

/** Returns whether a campaign's page has a form: the server takes bookings of it. Without a server the browser's call decides. */
export async function hasBooking({ folder, data }: CampaignText, locale: Locale): Promise<boolean> {
  if (data.closes_at <= new Date()) return false;
  const response = await fetchAtBuild(bookingInfo, {}, locale);
  if (response === undefined || response?.campaign.uid === folder) return true;
  return (await fetchAtBuild(bookingCampaign, { campaign: folder }, locale)) !== null;
}

/** Behind a picture that shines through. */
const paper = "#ebeff2";

/** Returns the colour of a campaign's page: its own, else the one of its picture; none beside a poster that the build draws. */
export function getGround({ data: { colour, art, cover } }: CampaignText): string | undefined {
  if (colour || (cover.isPoster && !art)) return colour;
  return tints[toTint((art ?? cover).url)?.replace("tint-", "") ?? ""] ?? paper;
}
