import type { Locale } from "../../i18n/locale.ts";
import type { CatalogueActivity, CatalogueCampaign, CatalogueGoods, CataloguePackage } from "./catalogue.ts";
import { formatTime, toYuan } from "./format.ts";
import { isId } from "./schema/field.ts";
import { doorIcon, rightIcons } from "./schema/package.ts";

// Fields of a shop's files, from its catalogue.

type Fields = Record<string, unknown>;

const formatIso = (time: string) => formatTime(new Date(time));
const toAliases = ({ aliases }: { aliases: string[] }) => (aliases.length > 0 ? { aliases } : {});
const toSkuName = (item: CatalogueGoods, uid: string) => (uid.startsWith(`${item.uid}-`) ? uid.slice(item.uid.length + 1) : "");
const isSingle = ({ uid, skus }: CatalogueGoods) => skus.length === 1 && skus[0]?.uid === uid;

/** Returns the SKUs that no file can name, each as a sentence. */
export function findSkuFaults(item: CatalogueGoods): string[] {
  if (isSingle(item)) return [];
  return item.skus
    .filter(({ uid }) => !isId(toSkuName(item, uid)))
    .map(
      ({ uid }) =>
        `goods/${item.uid}: its SKU ${uid} is not called ${item.uid}- and a name of small letters, digits and dashes`,
    );
}

/** Returns the words of an item in one language. */
export function toGoodsWords({ title, summary, category, specs }: CatalogueGoods, locale: Locale): Fields {
  const own = specs[locale].length > 0 ? { specs: specs[locale] } : {};
  return { title: title[locale], summary: summary[locale], category: category[locale], ...own };
}

/** Returns the facts of an item. */
export function toGoodsFacts(item: CatalogueGoods, position: number): Fields {
  const { skus, list_price_fen, limit_per_member, on_sale } = item;
  const [first] = skus;
  return {
    ...toAliases(item),
    ...(isSingle(item) && first
      ? { price: toYuan(first.pay_fen), stock: first.stock }
      : {
          skus: skus.map(({ uid, values, pay_fen, stock }) => ({
            sku: toSkuName(item, uid),
            ...(values["zh-CN"].length > 0 && { values: values["zh-CN"] }),
            price: toYuan(pay_fen),
            stock,
          })),
        }),
    ...(list_price_fen !== null && { list_price: toYuan(list_price_fen) }),
    limit: limit_per_member,
    on_sale,
    position,
  };
}

/** Returns the kind of each right of a pass. One whose condition the catalogue does not fulfil becomes a text. */
export function toRightKinds({ rights, level, stock }: CataloguePackage, activities: readonly CatalogueActivity[]): string[] {
  const isEarly = activities.some(({ early }) => early.some((opening) => opening.level <= level));
  return rights["zh-CN"].map(({ icon, at_the_door }) => {
    const kind = Object.keys(rightIcons).find((kind) => rightIcons[kind] === icon);
    if (at_the_door || kind === undefined) return "at_the_door";
    const isFulfilled = (kind !== "limited" || stock !== null) && (kind !== "early_booking" || isEarly);
    return isFulfilled ? kind : "at_the_door";
  });
}

/** Returns the words of a pass in one language; the default language has the kinds of its rights. */
export function toPackageWords(
  { title, summary, badge, rights }: CataloguePackage,
  kinds: readonly string[],
  locale: Locale,
): Fields {
  return {
    title: title[locale],
    summary: summary[locale],
    ...(badge && { badge: badge[locale] }),
    rights: rights[locale].map(({ icon, title }, index) => {
      const kind = kinds[index] ?? "at_the_door";
      const own = icon === (rightIcons[kind] ?? doorIcon) ? {} : { icon };
      return locale === "zh-CN" ? { kind, ...own, title } : { title };
    }),
  };
}

/** Returns the facts of a pass. */
export function toPackageFacts(pass: CataloguePackage, position: number): Fields {
  const { level, days, price_fen, pay_fen, stock, limit, on_sale } = pass;
  return {
    ...toAliases(pass),
    level,
    days,
    price: toYuan(pay_fen),
    ...(price_fen !== pay_fen && { list_price: toYuan(price_fen) }),
    ...(stock !== null && { stock }),
    ...(limit !== null && { limit }),
    on_sale,
    position,
  };
}

/** Returns the words of a show in one language. A catalogue has no line-up and no summary: the title and the venue stand for them. */
export function toEventWords({ title, venue, city }: CatalogueActivity, locale: Locale): Fields {
  const summary = `${city[locale]} ${venue[locale]}`;
  return { title: title[locale], summary, venue: venue[locale], city: city[locale], line_up: [title[locale]] };
}

/** Returns the facts of a show. */
export function toEventFacts(activity: CatalogueActivity): Fields {
  const { starts_at, ends_at, opens_at, closes_at, early, on_sale } = activity;
  return {
    ...toAliases(activity),
    starts_at: formatIso(starts_at),
    doors_at: formatIso(starts_at),
    ends_at: formatIso(ends_at),
    // The database does not tell a cancelled show from one that left the files: as a draft, neither returns by itself.
    ...(!on_sale && { draft: true, status: "cancelled" }),
    booking: {
      places: activity.places,
      opens_at: formatIso(opens_at),
      closes_at: formatIso(closes_at),
      ...(early.length > 0 && { early: early.map(({ level, opens_at }) => ({ level, opens_at: formatIso(opens_at) })) }),
    },
  };
}

/** Returns the words of a tour in one language; the default language has the facts of its stops. */
export function toCampaignWords({ title, stops }: CatalogueCampaign, locale: Locale): Fields {
  return {
    title: title[locale],
    summary: stops.map(({ city }) => city[locale]).join(" · "),
    stops: stops.map((stop) => {
      const words = { city: stop.city[locale], venue: stop.venue[locale] };
      if (locale === "en-US") return words;
      const { status, moved_from } = stop;
      return {
        ...{ stop: stop.stop, ...words, starts_at: formatIso(stop.starts_at) },
        ...(status !== "scheduled" && { status }),
        ...(moved_from !== null && { moved_from: formatIso(moved_from) }),
        places: stop.places,
      };
    }),
  };
}

/** Returns the facts of a tour. One that is off sale has left the files. */
export function toCampaignFacts(campaign: CatalogueCampaign): Fields {
  const { opens_at, closes_at, on_sale } = campaign;
  return {
    ...toAliases(campaign),
    ...(!on_sale && { draft: true }),
    opens_at: formatIso(opens_at),
    closes_at: formatIso(closes_at),
  };
}
