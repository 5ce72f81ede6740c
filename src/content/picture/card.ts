import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { type Locale, locales } from "#i18n/locale.ts";
import { buildRecord } from "#src/lib/build-record.ts";
import type { SiteData } from "../shop.ts";
import { getPictureCache, readEntry, replaceFile, toHash } from "./record.ts";

/** Changes when the same words are drawn in another way. */
const drawing = "5";

const specSchema = v.object({
  title: v.string(),
  /** The shop's short name, sign and colour. */
  brand: v.string(),
  mark: v.optional(v.string()),
  accent: v.string(),
  /** Such as 03.20. */
  date: v.optional(v.string()),
  /** City, venue. */
  location: v.optional(v.string()),
  /** Hash of the entry's picture. */
  picture: v.optional(v.string()),
  locale: v.picklist(locales),
});

/** What a share card is drawn from. */
export type CardSpec = v.InferOutput<typeof specSchema>;

/** Size of every card in pixels. */
export const cardSize = { width: 1200, height: 630 } as const;

/** What an entry gives to the card of its page. */
export interface CardFacts {
  /** Address of its picture; one that the site has not drawn itself is left out. */
  picture?: string | undefined;
  date?: string;
  location?: string;
}

/** Returns the address of a page's card, which the build draws: the hash of all that is on it. */
export async function describeCard(
  { brand, mark, accent }: Pick<SiteData, "brand" | "mark" | "accent">,
  locale: Locale,
  title: string,
  { picture: url = "", ...facts }: CardFacts = {},
): Promise<string> {
  const [, picture] = /^\/pictures\/([0-9a-f]{12})\./.exec(url) ?? [];
  const spec = { title, brand, mark, accent: accent.light, locale, ...facts, ...(picture && { picture }) } satisfies CardSpec;
  const text = JSON.stringify(spec);
  const hash = toHash(`card ${drawing} ${text}`);
  const folder = join(getPictureCache(), "cards");
  if (!existsSync(join(folder, `${hash}.json`))) await replaceFile(folder, `${hash}.json`, text);
  const address = `/cards/${hash}.${picture && !url.endsWith(".svg") ? "jpg" : "png"}`;
  buildRecord.cards.add(address);
  return address;
}

/** Returns what `cache` holds of a card. */
export const readCard = (cache: string, hash: string): Promise<CardSpec | null> =>
  readEntry(specSchema, join(cache, "cards"), hash);
