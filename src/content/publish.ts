import { getFacts, type Shop, type ShopEntry } from "./shop.ts";

interface Publication {
  draft?: boolean | undefined;
  publish_at?: Date | undefined;
}

/** Returns whether an entry stands on the site at a time. */
export function isPublished({ draft, publish_at }: Publication, now: Date): boolean {
  return draft !== true && (publish_at === undefined || publish_at <= now);
}

const toIds = (entries: readonly { id: string }[]) => new Set(entries.map(({ id }) => id));
const keep = (ids: Set<string>, id?: string) => (id !== undefined && ids.has(id) ? id : undefined);

/** Returns the shop as visitors see it at a time: without drafts and what is published later, and without references to them. */
export function selectPublished(shop: Shop, now: Date): Shop {
  const select = <Data extends Publication>(entries: readonly ShopEntry<Data>[]) =>
    entries.filter((entry) => isPublished(getFacts(entry), now));
  const event = select(shop.event);
  const campaign = select(shop.campaign);
  const eventIds = toIds(event);
  const campaignIds = toIds(campaign);
  const news = select(shop.news).map((entry) => ({
    ...entry,
    texts: entry.texts.map(({ data, ...text }) => ({
      ...text,
      data: { ...data, event: keep(eventIds, data.event), campaign: keep(campaignIds, data.campaign) },
    })),
  }));
  const [zh, en] = [shop.site["zh-CN"], shop.site["en-US"]];
  const plan = keep(eventIds, zh.plan?.event);
  const site = plan ? shop.site : { "zh-CN": { ...zh, plan: undefined }, "en-US": { ...en, plan: undefined } };
  return {
    ...shop,
    site,
    event,
    news,
    goods: select(shop.goods),
    package: select(shop.package),
    campaign,
  };
}

interface Dated extends Publication {
  ends_at?: Date;
  closes_at?: Date;
  stops?: readonly { starts_at: Date }[];
}

/**
 * Returns the times in ms at which the site of a shop changes without a change of its files: an entry comes due, a show ends, a tour closes, a stop of it begins.
 * Hours at which booking opens or ends are not among them: pages follow those in the browser, and a build would take the machine when members come.
 */
function getUpdates(shop: Shop): number[] {
  const entries: readonly ShopEntry<Dated>[] = [shop.event, shop.news, shop.goods, shop.package, shop.campaign].flat();
  return entries.flatMap((entry) => {
    const { draft, publish_at, ends_at, closes_at, stops = [] } = getFacts(entry);
    const times = [publish_at, ends_at, closes_at, ...stops.map(({ starts_at }) => starts_at)];
    return draft ? [] : times.flatMap((time) => time?.getTime() ?? []);
  });
}

/** Returns when the site of a shop is next to change. */
export function getNextUpdate(shop: Shop, now: Date): Date | null {
  const times = getUpdates(shop).filter((time) => time > now.getTime());
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

/** Returns how often the site of a shop has changed without a change of its files. */
export function countUpdates(shop: Shop, now: Date): number {
  return getUpdates(shop).filter((time) => time <= now.getTime()).length;
}
