import { join } from "node:path";
import { type Locale, locales } from "#i18n/locale.ts";
import { isFields, parseFields, readText } from "./front-matter.ts";
import { type LanguageFields, mergeLanguages } from "./merge.ts";
import type { PictureReader } from "./resolve.ts";
import { site as siteSchemas } from "./schema/kinds.ts";
import type { SiteData } from "./shop.ts";
import { siteFile } from "./shop-files.ts";

/** Reads site.yaml, which has a part for each language. */
export async function readSite(
  folder: string,
  pictures: PictureReader,
  report: (fault: string) => void,
): Promise<Record<Locale, SiteData> | null> {
  const read = readText(join(folder, siteFile));
  if ("fault" in read) {
    report(`${siteFile}: ${read.fault}`);
    return null;
  }
  const { fields, faults } = parseFields(read.text);
  for (const fault of faults) report(`${siteFile}: ${fault}`);
  if (!fields) return null;
  const languages: LanguageFields[] = [];
  for (const [name, part] of Object.entries(fields)) {
    const locale = locales.find((locale) => locale === name);
    if (!locale)
      report(
        `${siteFile}: ${name}: is no part of it; the parts are zh-CN and en-US, such as: "zh-CN:" and the fields below it, indented by two blanks`,
      );
    else if (!isFields(part))
      report(`${siteFile}: ${name}: must be fields, indented by two blanks, such as: "  title: Entrance"`);
    else languages.push({ locale, fields: part, report: (fault) => report(`${siteFile}: ${name}, ${fault}`) });
  }
  languages.sort((a, b) => locales.indexOf(a.locale) - locales.indexOf(b.locale));
  const merged = mergeLanguages(languages, languages[0]?.locale, siteSchemas);
  if (languages.length === 0) report(`${siteFile}: has neither zh-CN nor en-US, such as: "zh-CN:" and the fields below it`);
  const [zh, en] = locales;
  const [first, second] = [merged.get(zh) ?? merged.get(en), merged.get(en) ?? merged.get(zh)];
  if (!first || !second) return null;
  const mark = first.mark;
  const facts = mark === undefined ? null : await pictures.read(siteFile, "mark", mark);
  const source = mark !== undefined && facts ? pictures.readSource(siteFile, mark) : undefined;
  const toLang = (locale: Locale, other: Locale) => (merged.has(locale) ? {} : { lang: other });
  return {
    [zh]: { ...first, mark: source, ...toLang(zh, en) },
    [en]: { ...second, mark: source, ...toLang(en, zh) },
  };
}
