import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { type Locale, locales } from "../../i18n/locale.ts";
import type { Catalogue, CataloguePicture } from "./catalogue.ts";
import { formatFields, formatMarkdown, toYuan } from "./format.ts";
import { fromParagraphs } from "./plain-text.ts";
import { isId } from "./schema/field.ts";
import { createSiteFields, mark } from "./templates.ts";
import {
  findSkuFaults,
  toCampaignFacts,
  toCampaignWords,
  toEventFacts,
  toEventWords,
  toGoodsFacts,
  toGoodsWords,
  toPackageFacts,
  toPackageWords,
  toRightKinds,
} from "./to-fields.ts";

type Fields = Record<string, unknown>;

export interface WriteOptions {
  /** Parts of site.yaml; without, names and postage of the catalogue and the demo's colours. */
  site?: Record<Locale, Fields>;
  /** Returns the file of a picture by its address, to copy it beside the text; without, texts have no pictures. */
  findPicture?: (url: string) => string | undefined;
}

/** A catalogue, without the shop's facts where a database does not have them yet. */
export interface ExportedCatalogue extends Omit<Catalogue, "shop"> {
  shop: Catalogue["shop"] | null;
}

/** What happened to each file, by its path in the shop's folder. */
export interface WriteReport {
  added: string[];
  /** Was there before, and is unchanged. */
  unchanged: string[];
  /** What no file can hold, as sentences. */
  faults: string[];
}

/**
 * Writes the files of a catalogue: the way back from a database to a shop's folder. Files that are there stay as they are. Without a shop, site.yaml is that of
 * a new one with the folder's name.
 */
export function writeShop(folder: string, catalogue: ExportedCatalogue, { site, findPicture }: WriteOptions = {}): WriteReport {
  const report: WriteReport = { added: [], unchanged: [], faults: [] };
  const write = (path: string, content: string) => {
    const file = join(folder, path);
    if (existsSync(file)) return void report.unchanged.push(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    report.added.push(path);
  };
  /** Copies the pictures of an entry. Returns its picture fields in each language. */
  const copyPictures = (entry: string, images: Record<Locale, CataloguePicture[]>): Record<Locale, Fields> => {
    const [zh, en] = locales.map((locale) =>
      images[locale].flatMap(({ url, alt }, index) => {
        const source = findPicture?.(url);
        if (source === undefined) return [];
        const original = locale === "en-US" && images["zh-CN"][index]?.url === url;
        const file = `${index === 0 ? "cover" : `picture-${index}`}${locale === "en-US" ? ".en-US" : ""}${extname(source)}`;
        if (!original) {
          mkdirSync(join(folder, entry), { recursive: true });
          copyFileSync(source, join(folder, entry, file));
        }
        return [original ? { alt } : { file, alt }];
      }),
    );
    const toFields = ([cover, ...pictures]: Fields[] = []) => ({ cover, ...(pictures.length > 0 && { pictures }) });
    return { "zh-CN": toFields(zh), "en-US": toFields(en) };
  };
  const writeEntry = (entry: string, facts: Fields, words: Record<Locale, Fields>, body: Record<Locale, string>) => {
    const id = entry.slice(entry.indexOf("/") + 1);
    if (!isId(id)) return void report.faults.push(`${entry}: ${id} is no id of small letters, digits and dashes`);
    write(`${entry}/index.zh-CN.md`, formatMarkdown({ ...words["zh-CN"], ...facts }, body["zh-CN"]));
    if (JSON.stringify([words["zh-CN"], body["zh-CN"]]) === JSON.stringify([words["en-US"], body["en-US"]])) return;
    write(`${entry}/index.en-US.md`, formatMarkdown(words["en-US"], body["en-US"]));
  };

  const { shop } = catalogue;
  const name = basename(folder);
  if (!site && !shop) write("mark.svg", mark);
  write("site.yaml", formatFields(site ?? (shop ? toSite(shop) : createSiteFields(isId(name) ? name : "shop"))));
  for (const [index, item] of catalogue.goods.entries()) {
    const entry = `goods/${item.uid}`;
    const pictures = copyPictures(entry, item.images);
    report.faults.push(...findSkuFaults(item));
    const words = localize((locale) => ({ ...toGoodsWords(item, locale), ...pictures[locale] }));
    writeEntry(
      entry,
      toGoodsFacts(item, index + 1),
      words,
      localize((locale) => fromParagraphs(item.detail[locale])),
    );
  }
  for (const [index, pass] of catalogue.packages.entries()) {
    const entry = `package/${pass.uid}`;
    const pictures = copyPictures(entry, pass.images);
    const kinds = toRightKinds(pass, catalogue.activities);
    const words = localize((locale) => ({ ...toPackageWords(pass, kinds, locale), ...pictures[locale] }));
    writeEntry(entry, toPackageFacts(pass, index + 1), words, noBody);
  }
  for (const activity of catalogue.activities)
    writeEntry(
      `event/${activity.uid}`,
      toEventFacts(activity),
      localize((locale) => toEventWords(activity, locale)),
      noBody,
    );
  for (const campaign of catalogue.campaigns)
    writeEntry(
      `campaign/${campaign.uid}`,
      toCampaignFacts(campaign),
      localize((locale) => toCampaignWords(campaign, locale)),
      noBody,
    );
  return report;
}

const noBody: Record<Locale, string> = { "zh-CN": "", "en-US": "" };
const localize = <Result>(map: (locale: Locale) => Result): Record<Locale, Result> => ({
  "zh-CN": map("zh-CN"),
  "en-US": map("en-US"),
});

function toSite({ uid, title, postage }: Catalogue["shop"]): Record<Locale, Fields> {
  const words = localize((locale) => ({ title: title[locale], brand: title[locale], description: title[locale] }));
  const accent = { light: "#00774a", dark: "#2be38e" };
  const fees = { fee: toYuan(postage.fen), free_from: toYuan(postage.free_from_fen) };
  return { "zh-CN": { shop: uid, ...words["zh-CN"], accent, postage: fees }, "en-US": words["en-US"] };
}
