import type { Locale } from "#i18n/locale.ts";
import { fetchAtBuild } from "#src/api/fetch-at-build.ts";
import { goodsLists } from "#src/api/goods.ts";
import { packageLists } from "#src/api/package.ts";
import { soldOutLast, toSlug } from "./card.ts";

/** Returns what the mall has at build, each item with its category as URLs name it, and the categories in their order. */
export async function getMall(locale: Locale) {
  const goods = await fetchAtBuild(goodsLists, {}, locale);
  const english = await fetchAtBuild(goodsLists, {}, "en-US");
  const packageCount = (await fetchAtBuild(packageLists, {}, locale))?.list.length ?? 0;
  const slugs = new Map(english?.list.map(({ goods_uid, category }) => [goods_uid, toSlug(category)]));
  const items = soldOutLast(goods?.list ?? []).map((item) => ({
    item,
    kind: slugs.get(item.goods_uid) ?? toSlug(item.category),
  }));
  const labels = new Map(items.map(({ item, kind }) => [kind, item.category]));
  const kinds = [...labels].map(([kind, label]) => ({ kind, label, count: items.filter((row) => row.kind === kind).length }));
  /** The site is built without a server: the browser loads what there is. */
  const isLater = goods === undefined;
  return { items, kinds, packageCount, isLater, isBare: !isLater && items.length + packageCount === 0 };
}
