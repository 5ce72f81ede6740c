import type { Locale } from "#i18n/locale.ts";
import type { AudioFacts } from "./audio/inspect.ts";
import type { AboutFields } from "./schema/about.ts";
import type { CampaignFields } from "./schema/campaign.ts";
import type { EventFields } from "./schema/event.ts";
import type { GoodsFields } from "./schema/goods.ts";
import type { NewsFields } from "./schema/news.ts";
import type { PackageFields } from "./schema/package.ts";
import type { SiteFields } from "./schema/site.ts";

// A shop as its files describe it, with the languages merged: each text has the facts and its own words.

/** A picture with its address; `width` and `height` are those of `url`. */
export interface Picture {
  url: string;
  width: number;
  height: number;
  alt: string;
}

/** A preview with its address. */
export interface Audio extends Omit<AudioFacts, "hash"> {
  title: string;
}

interface WithAudio {
  audio?: Audio[] | undefined;
}

export interface Pictures {
  /** Where the files have none, a poster of the title. */
  cover: Picture & {
    isPoster?: true | undefined;
    /** That poster without its words. */
    bare?: Omit<Picture, "alt"> | undefined;
  };
  /** Further pictures. */
  pictures: Picture[];
}
type Resolved<Fields> = Omit<Fields, "cover" | "pictures" | "art" | "headline" | "audio">;

export type EventData = Resolved<EventFields> & Pictures & WithAudio & { art?: Picture | undefined };
export type NewsData = Resolved<NewsFields> & Pictures & WithAudio;
export type GoodsData = Resolved<GoodsFields> & Pictures & WithAudio;
export type PackageData = Resolved<PackageFields> & Pictures;
/** Its stops are in the order in which they start. */
export type CampaignData = Resolved<CampaignFields> &
  Pictures & {
    art?: Picture | undefined;
    /** `svg` is the source of an SVG. */
    headline?: (Picture & { svg?: string | undefined }) | undefined;
  };
export type AboutData = AboutFields;
export type SiteData = Omit<SiteFields, "mark"> & {
  /** The SVG itself, checked. */
  mark?: string | undefined;
  /** The language of the words when site.yaml has none in the one of the pages. */
  lang?: Locale | undefined;
};

/** A text of an entry, as one file has it. */
export interface ShopText<Data> {
  locale: Locale;
  /** Relative to the shop's folder: `event/entrance/index.zh-CN.md`. */
  file: string;
  data: Data;
  /** Markdown. */
  body: string;
  /** What it is rendered as, with the addresses of its pictures; `finishHtml` makes it what pages show. */
  html: string;
  /** The addresses of its links and pictures. */
  links: readonly string[];
  pictures: readonly string[];
  /** Line of the file on which the body begins, from 1. */
  bodyLine: number;
}

export interface ShopEntry<Data> {
  id: string;
  /** In the order of the languages; at least one. */
  texts: readonly ShopText<Data>[];
}

export interface Shop {
  /** Absolute path. */
  folder: string;
  /** Both languages: where site.yaml has one, it stands for the other too. */
  site: Record<Locale, SiteData>;
  event: readonly ShopEntry<EventData>[];
  news: readonly ShopEntry<NewsData>[];
  goods: readonly ShopEntry<GoodsData>[];
  package: readonly ShopEntry<PackageData>[];
  campaign: readonly ShopEntry<CampaignData>[];
  about: readonly ShopEntry<AboutData>[];
  /** Pictures and audio beside the texts that none of them names, relative to the folder. */
  unusedFiles: readonly string[];
  /** What reading has found that is no fault: `<file>: <advice>`. */
  remarks: readonly string[];
}

/** Returns the text of an entry in a language, else in the other one. */
export function getText<Data>({ id, texts }: ShopEntry<Data>, locale: Locale): ShopText<Data> {
  const text = texts.find((text) => text.locale === locale) ?? texts[0];
  if (!text) throw new Error(`${id} has no text`);
  return text;
}

/** Returns the facts of an entry, which are equal in all of its texts. */
export function getFacts<Data>(entry: ShopEntry<Data>): Data {
  return getText(entry, "zh-CN").data;
}

/** Maps the text of an entry in each language. */
export function localize<Data, Result>(
  entry: ShopEntry<Data>,
  map: (data: Data, body: string) => Result,
): Record<Locale, Result> {
  const mapText = (locale: Locale) => {
    const { data, body } = getText(entry, locale);
    return map(data, body);
  };
  return { "zh-CN": mapText("zh-CN"), "en-US": mapText("en-US") };
}
