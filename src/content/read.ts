import { join, resolve } from "node:path";
import type { z } from "astro/zod";
import { defaultLocale, type Locale, locales } from "../../i18n/locale.ts";
import { isFields, parseFields, parseMarkdown, readText } from "./front-matter.ts";
import { getLine, parseMarkup } from "./markup.ts";
import { findMismatches, mergeWords, parse } from "./merge.ts";
import { PictureReader, resolveLettering, resolvePicture, resolvePictures, type TextContext } from "./resolve.ts";
import { type Kind, kinds, site as siteSchemas } from "./schema/kinds.ts";
import type { Shop, ShopEntry, ShopText, SiteData } from "./shop.ts";
import { type EntryFiles, listFiles } from "./shop-files.ts";
import { findRuleFaults, type ParsedBody } from "./shop-rules.ts";

export interface ReadOptions {
  /** Folder that remembers pictures, so that unchanged ones are not decoded again. */
  pictureCache?: string | undefined;
}

/** The shop, or all that is wrong with its files: `<file>: <field>: <what is wrong>, such as: <example>`. */
export type ReadResult = { shop: Shop; faults: [] } | { shop: null; faults: string[] };

/** What a kind's files are checked with: its default language's file, and the other language's. */
interface Schemas<Schema extends z.ZodType> {
  schema: Schema & { shape: Record<string, unknown> };
  words: z.ZodType & { shape: Record<string, unknown> };
}

/** Text as in one file, before its pictures have addresses. */
interface ParsedText<Fields> extends Omit<ShopText<Fields>, "data"> {
  fields: Fields;
}

/** Entries whose pictures are waited for together. */
const atOnce = 16;

/** Reads all files of a shop. Returns every fault at once, in the order of the files. */
export async function readShop(folder: string, { pictureCache }: ReadOptions = {}): Promise<ReadResult> {
  const root = resolve(folder);
  const { entries, faults } = listFiles(root);
  const report = (fault: string) => void faults.push(fault);
  const pictures = new PictureReader(root, pictureCache, report);
  const site = await readSite(root, pictures, report);
  const bodies: ParsedBody[] = [];

  async function readKind<Schema extends z.ZodType, Data>(
    kind: Kind,
    schemas: Schemas<Schema>,
    toData: (fields: z.infer<Schema>, context: TextContext) => Promise<Data>,
  ): Promise<ShopEntry<Data>[]> {
    const readEntry = async (entry: EntryFiles): Promise<ShopEntry<Data>> => {
      const texts: ShopText<Data>[] = [];
      for (const { fields, ...text } of readTexts(root, entry, schemas, report)) {
        const { locale, file } = text;
        const body = await readBody(text, pictures, bodies, report);
        texts.push({ ...text, body, data: await toData(fields, { id: entry.id, locale, file, pictures }) });
      }
      return { id: entry.id, texts };
    };
    const own = entries.filter((entry) => entry.kind === kind);
    const read: ShopEntry<Data>[] = [];
    for (let at = 0; at < own.length; at += atOnce)
      read.push(...(await Promise.all(own.slice(at, at + atOnce).map(readEntry))));
    return read.filter(({ texts }) => texts.length > 0);
  }

  const parts = {
    folder: root,
    event: await readKind("event", kinds.event, async ({ art, ...fields }, context) => ({
      ...(await resolvePictures(fields, context, {
        kind: "event",
        date: toDay(fields.starts_at),
        location: fields.city,
        by: fields.line_up.join(" · "),
      })),
      art: art && (await resolvePicture(art, "art", context)),
    })),
    news: await readKind("news", kinds.news, (fields, context) => resolvePictures(fields, context, { kind: "news" })),
    goods: await readKind("goods", kinds.goods, (fields, context) =>
      resolvePictures(fields, context, { kind: "goods", by: fields.category }),
    ),
    package: await readKind("package", kinds.package, (fields, context) =>
      resolvePictures(fields, context, { kind: "package" }),
    ),
    campaign: await readKind("campaign", kinds.campaign, async ({ art, headline, ...fields }, context) => ({
      ...(await resolvePictures(fields, context, { kind: "campaign" })),
      art: art && (await resolvePicture(art, "art", context)),
      headline: headline && (await resolveLettering(headline, "headline", context)),
    })),
    about: await readKind("about", kinds.about, async (fields) => fields),
    unusedPictures: [],
  };
  faults.push(...findRuleFaults({ ...parts, site }, bodies));
  const toFile = (fault: string) => /^[^:]*/.exec(fault)?.[0] ?? "";
  if (!site || faults.length > 0)
    return { shop: null, faults: faults.toSorted((a, b) => (toFile(a) < toFile(b) ? -1 : toFile(a) > toFile(b) ? 1 : 0)) };
  const { paths } = pictures;
  const unusedPictures = entries.flatMap(({ kind, id, pictures }) =>
    pictures.map((name) => `${kind}/${id}/${name}`).filter((path) => !paths.has(path)),
  );
  return { shop: { ...parts, site, unusedPictures }, faults: [] };
}

/** Checks a text's Markdown, and returns it with the addresses of its pictures. */
async function readBody(
  { file, body, bodyLine }: Pick<ShopText<unknown>, "file" | "body" | "bodyLine">,
  pictures: PictureReader,
  bodies: ParsedBody[],
  report: (fault: string) => void,
): Promise<string> {
  if (body.trim() === "") return body;
  const markdown = parseMarkup(body);
  const toLine = (offset: number) => bodyLine + getLine(body, offset) - 1;
  for (const { offset, message } of markdown.faults) report(`${file}:${toLine(offset)}: ${message}`);
  bodies.push({ file, body, line: bodyLine, markdown });
  let resolved = "";
  let from = 0;
  for (const { url, start, end } of markdown.pictures) {
    if (/^([a-z][a-z\d+.-]*:|\/)/i.test(url)) continue;
    const facts = await pictures.read(file, `line ${toLine(start)}`, decodeUrl(url));
    if (!facts) continue;
    resolved += body.slice(from, start) + body.slice(start, end).replace(/\]\(\s*(<[^>]*>|[^\s)]+)/, `](${facts.url}`);
    from = end;
  }
  return resolved + body.slice(from);
}

function decodeUrl(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** Returns the day in China. */
const toDay = (date: Date) => new Date(date.getTime() + 8 * 3600_000).toISOString().slice(0, 10);

/** Reads the files of an entry. What is wrong goes to `report`; texts without faults are returned. */
function readTexts<Schema extends z.ZodType>(
  folder: string,
  { texts }: EntryFiles,
  { schema, words }: Schemas<Schema>,
  report: (fault: string) => void,
): ParsedText<z.infer<Schema>>[] {
  const files = locales.flatMap((locale) => {
    const file = texts[locale];
    if (file === undefined) return [];
    const read = readText(join(folder, file));
    if ("fault" in read) {
      report(`${file}: ${read.fault}`);
      return [];
    }
    const { fields, body, bodyLine, faults } = parseMarkdown(read.text);
    for (const fault of faults) report(`${file}: ${fault}`);
    return fields ? [{ locale, file, fields, body, bodyLine }] : [];
  });
  const merged = mergeLanguages(
    files.map(({ locale, fields, file }) => ({ locale, fields, report: (fault: string) => report(`${file}: ${fault}`) })),
    defaultLocale in texts ? defaultLocale : undefined,
    { schema, words },
  );
  return files.flatMap(({ fields: _, ...text }) => {
    const fields = merged.get(text.locale);
    return fields === undefined ? [] : [{ ...text, fields }];
  });
}

interface LanguageFields {
  locale: Locale;
  fields: Record<string, unknown>;
  report: (fault: string) => void;
}

/** Merges the fields of an entry's languages, and parses them. The facts stand in the default language's, else in the only one. */
function mergeLanguages<Schema extends z.ZodType>(
  languages: readonly LanguageFields[],
  factsLocale: Locale | undefined,
  { schema, words }: Schemas<Schema>,
): Map<Locale, z.infer<Schema>> {
  const parsed = new Map<Locale, z.infer<Schema>>();
  const base = factsLocale === undefined ? languages[0] : languages.find(({ locale }) => locale === factsLocale);
  const baseFields = base ? parse(schema, base.fields, base.report) : null;
  if (base && baseFields !== null) parsed.set(base.locale, baseFields);
  for (const { locale, fields, report } of languages) {
    if (locale === base?.locale) continue;
    const facts = Object.keys(fields).filter((field) => field in schema.shape && !(field in words.shape));
    for (const fact of facts)
      report(`${fact}: is a fact, which stands once, in the default language's (${factsLocale}): remove it here`);
    const own = Object.fromEntries(Object.entries(fields).filter(([field]) => !facts.includes(field)));
    if (parse(words, own, report) === null || !base || baseFields === null) continue;
    const mismatches = findMismatches(base.fields, own, words.shape);
    for (const fault of mismatches) report(fault);
    if (mismatches.length > 0) continue;
    const merged = parse(schema, mergeWords(base.fields, own, words.shape), report);
    if (merged !== null) parsed.set(locale, merged);
  }
  return parsed;
}

const siteFile = "site.yaml";

/** Reads site.yaml, which has a part for each language. */
async function readSite(
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
  return { [zh]: { ...first, mark: source }, [en]: { ...second, mark: source } };
}
