import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { defaultLocale, type Locale, locales } from "#i18n/locale.ts";
import { fillTimes } from "./format.ts";
import { isFields, parseFields, parseMarkdown } from "./front-matter.ts";
import { type Kind, kindNames } from "./schema/kinds.ts";
import type { Shop, ShopEntry, ShopText } from "./shop.ts";

// The first texts of new entries and of a new shop lie in `templates`: valid, on sale as they are, and plain enough to be written over.

type Fields = Record<string, unknown>;

const folder = join(import.meta.dirname, "templates");

/** The kinds of the entries that `npm run new -- <name> <id>` writes, by name. */
export const templateKinds: Record<string, Kind> = {
  news: "news",
  event: "event",
  item: "goods",
  pass: "package",
  tour: "campaign",
};

/** Returns a file of a new shop, or a text of a new entry (`tour.en-US.md`). */
export const readTemplate = (file: string, now = new Date()): string =>
  fillTimes(readFileSync(join(folder, file), "utf8"), now);

/** Returns the site.yaml of a new shop. */
export const createSiteFile = (shop: string): string => readTemplate("site.yaml").replace("{{shop}}", shop);

/** Returns whether a field is as in a template: equal, or of a list of fields one entry is. */
function isUntouched(value: unknown, first: unknown): boolean {
  if (!Array.isArray(value) || !Array.isArray(first) || !isFields(first[0])) return isDeepStrictEqual(value, first);
  return value.some((stop) => first.some(({ city, venue }) => isFields(stop) && stop.city === city && stop.venue === venue));
}

/** `hasFacts`: the text is the one whose file has the facts. */
function adviseOnText(kind: Kind, { file, locale, data, body }: ShopText<object>, hasFacts: boolean): string[] {
  const name = Object.keys(templateKinds).find((name) => templateKinds[name] === kind);
  if (name === undefined) return [];
  const read = (locale: Locale) => parseMarkdown(readTemplate(`${name}.${locale}.md`));
  const template = read(locale);
  const [fields, first]: [Fields, Fields] = [{ ...data }, template.fields ?? {}];
  const words = ["title", "summary", "city", "venue", "line_up", "stops"].filter(
    (name) => name in first && isUntouched(fields[name], first[name]),
  );
  const text = body.trim() !== "" && body.trim() === template.body.trim() ? ["text"] : [];
  // A price that is right may be the first one: it counts beside words, or beside the first stock.
  const facts: Fields = (hasFacts && read(defaultLocale).fields) || {};
  const hasPrice = typeof facts.price === "number" && fields.price === facts.price * 100;
  if (words.length + text.length > 0)
    return [`${file}: ${formatUntouched([...words, ...(hasPrice ? ["price"] : []), ...text])}`];
  return hasPrice && facts.stock !== undefined && fields.stock === facts.stock
    ? [`${file}: price and stock are ${facts.price} and ${facts.stock}, as npm run new wrote them: are they yours?`]
    : [];
}

const formatUntouched = (names: readonly string[]) =>
  `${names.join(", ")} ${names.length > 1 ? "are" : "is"} as npm run new wrote ${names.length > 1 ? "them" : "it"}: write your own`;

/** Returns advice on what still is as `npm run new` has written it: `<file>: <advice>`. */
export function adviseOnTemplates({ site, ...shop }: Shop): string[] {
  const { fields: first } = parseFields(createSiteFile("new"));
  const onSite = locales.flatMap((locale) => {
    const [fields, untouched]: [Fields, unknown] = [{ ...site[locale] }, first?.[locale]];
    const names = ["title", "brand", "description"].filter((name) => isFields(untouched) && fields[name] === untouched[name]);
    return names.length > 0 ? [`site.yaml: ${locale}, ${formatUntouched(names)}`] : [];
  });
  const onEntries = kindNames.flatMap((kind) =>
    shop[kind].flatMap(({ texts }: ShopEntry<object>) => texts.flatMap((text, index) => adviseOnText(kind, text, index === 0))),
  );
  return [...onSite, ...onEntries];
}
