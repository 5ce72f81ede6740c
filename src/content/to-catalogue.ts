import type { Catalogue, CatalogueActivity, CatalogueCampaign, CatalogueGoods, CataloguePackage } from "./catalogue.ts";
import { toParagraphs } from "./plain-text.ts";
import { selectPublished } from "./publish.ts";
import { doorIcon, givenRights, rightIcons } from "./schema/package.ts";
import {
  type CampaignData,
  type EventData,
  type GoodsData,
  getFacts,
  localize,
  type PackageData,
  type Picture,
  type Shop,
  type ShopEntry,
} from "./shop.ts";

/** Returns what a shop sells and lets people book at a time: without drafts, and without what is published later. */
export function toCatalogue(shop: Shop, now: Date): Catalogue {
  const { site, goods, package: packages, event, campaign } = selectPublished(shop, now);
  const { shop: uid, postage } = site["zh-CN"];
  return {
    shop: {
      uid,
      title: { "zh-CN": site["zh-CN"].brand, "en-US": site["en-US"].brand },
      postage: { fen: postage.fee, free_from_fen: postage.free_from },
    },
    goods: sortByPosition(goods).map(toGoods),
    packages: sortByPosition(packages).map(toPackage),
    activities: event.flatMap(toActivity),
    campaigns: campaign.map(toCampaign),
  };
}

function sortByPosition<Data extends { position: number }>(entries: readonly ShopEntry<Data>[]): ShopEntry<Data>[] {
  return entries.toSorted((a, b) => getFacts(a).position - getFacts(b).position || (a.id < b.id ? -1 : 1));
}

/** A catalogue's times have seconds and Z. */
const toTime = (date: Date) => date.toISOString();
const toImages = ({ cover, pictures }: { cover: Picture; pictures: Picture[] }) =>
  [cover, ...pictures].map(({ url, width, height, alt }) => ({ url, width, height, alt }));

function toGoods(entry: ShopEntry<GoodsData>): CatalogueGoods {
  const { id } = entry;
  const { aliases = [], list_price, limit, on_sale, ships_at, price, stock, skus } = getFacts(entry);
  const values = localize(entry, ({ skus = [] }) => skus.map(({ values }) => values));
  return {
    uid: id,
    aliases,
    title: localize(entry, ({ title }) => title),
    summary: localize(entry, ({ summary }) => summary),
    detail: localize(entry, (_, body) => toParagraphs(body)),
    category: localize(entry, ({ category }) => category),
    images: localize(entry, toImages),
    specs: localize(entry, ({ specs = [] }) => specs),
    list_price_fen: list_price ?? null,
    limit_per_member: limit,
    on_sale,
    ships_at: ships_at ? toTime(ships_at) : null,
    skus: skus
      ? skus.map(({ sku, price, stock }, index) => ({
          uid: `${id}-${sku}`,
          values: { "zh-CN": values["zh-CN"][index] ?? [], "en-US": values["en-US"][index] ?? [] },
          pay_fen: price,
          stock,
        }))
      : [{ uid: id, values: { "zh-CN": [], "en-US": [] }, pay_fen: price ?? 0, stock: stock ?? 0 }],
  };
}

/** Passes that a member can have at a time, where there is a stock and no limit is given. */
const limitOfStock = 3;

function toPackage(entry: ShopEntry<PackageData>): CataloguePackage {
  const { aliases = [], level, days, rights, price, list_price, stock, limit, on_sale, badge } = getFacts(entry);
  return {
    uid: entry.id,
    aliases,
    level,
    days,
    title: localize(entry, ({ title }) => title),
    summary: localize(entry, ({ summary }) => summary),
    rights: localize(entry, ({ rights }) =>
      rights.map(({ kind, icon, title }) => ({
        icon: icon ?? rightIcons[kind] ?? doorIcon,
        title,
        at_the_door: !givenRights.has(kind),
      })),
    ),
    free_postage: rights.some(({ kind }) => kind === "free_postage"),
    price_fen: list_price ?? price,
    pay_fen: price,
    badge: badge === undefined ? null : localize(entry, (data) => data.badge ?? badge),
    images: localize(entry, toImages),
    stock: stock ?? null,
    limit: limit ?? (stock === undefined ? null : limitOfStock),
    on_sale,
  };
}

function toActivity(entry: ShopEntry<EventData>): CatalogueActivity[] {
  const { aliases = [], starts_at, ends_at, status, booking } = getFacts(entry);
  if (!booking) return [];
  const { opens_at, closes_at, early = [] } = booking;
  return [
    {
      uid: entry.id,
      aliases,
      title: localize(entry, ({ title }) => title),
      venue: localize(entry, ({ venue }) => venue),
      city: localize(entry, ({ city }) => city),
      starts_at: toTime(starts_at),
      ends_at: toTime(ends_at),
      opens_at: toTime(opens_at),
      closes_at: toTime(closes_at),
      early: early.map(({ level, opens_at }) => ({ level, opens_at: toTime(opens_at) })),
      places: booking.places,
      on_sale: status !== "cancelled",
    },
  ];
}

function toCampaign(entry: ShopEntry<CampaignData>): CatalogueCampaign {
  const { aliases = [], opens_at, closes_at, stops } = getFacts(entry);
  const words = localize(entry, ({ stops }) => stops);
  return {
    uid: entry.id,
    aliases,
    title: localize(entry, ({ title }) => title),
    opens_at: toTime(opens_at),
    closes_at: toTime(closes_at),
    on_sale: true,
    stops: stops.map((stop, index) => ({
      stop: stop.stop,
      city: { "zh-CN": words["zh-CN"][index]?.city ?? stop.city, "en-US": words["en-US"][index]?.city ?? stop.city },
      venue: { "zh-CN": words["zh-CN"][index]?.venue ?? stop.venue, "en-US": words["en-US"][index]?.venue ?? stop.venue },
      starts_at: toTime(stop.starts_at),
      status: stop.status,
      moved_from: stop.moved_from ? toTime(stop.moved_from) : null,
      places: stop.places,
    })),
  };
}
