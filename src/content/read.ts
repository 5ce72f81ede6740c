import { join, resolve } from "node:path";
import type { z } from "astro/zod";
import { defaultLocale, locales } from "#i18n/locale.ts";
import { levelLetters } from "#src/api/package.ts";
import { type AudioFacts, inspectAudio } from "./audio/inspect.ts";
import { formatTime } from "./format.ts";
import { parseMarkdown, readText } from "./front-matter.ts";
import { mergeLanguages, type Schemas } from "./merge.ts";
import { type Body, readBody } from "./read-body.ts";
import { readSite } from "./read-site.ts";
import {
  FileReader,
  PictureReader,
  resolveAudio,
  resolveLettering,
  resolvePicture,
  resolvePictures,
  type TextContext,
} from "./resolve.ts";
import { type Kind, kinds } from "./schema/kinds.ts";
import type { Shop, ShopEntry, ShopText } from "./shop.ts";
import { type EntryFiles, listFiles } from "./shop-files.ts";
import { findRuleFaults, type ParsedBody } from "./shop-rules.ts";

export interface ReadOptions {
  /** Folder that remembers pictures, so that unchanged ones are not decoded again. */
  pictureCache?: string | undefined;
  /** Folder that remembers audio. */
  audioCache?: string | undefined;
  /** The kinds of texts to read, all by default; the shop has none of the others. */
  only?: readonly Kind[];
}

/** The shop, or all that is wrong with its files: `<file>: <field>: <what is wrong>, such as: <example>`. */
export type ReadResult = { shop: Shop; faults: [] } | { shop: null; faults: string[] };

/** Text as in one file, before its pictures have addresses. */
interface ParsedText<Fields> extends Omit<ShopText<Fields>, "data" | keyof Body> {
  fields: Fields;
}

/** Entries that are read at once, so that waiting for pictures takes no time. */
const atOnce = 16;

/** Reads all files of a shop. Returns every fault at once, in the order of the files. */
export async function readShop(folder: string, { pictureCache, audioCache, only }: ReadOptions = {}): Promise<ReadResult> {
  const root = resolve(folder);
  const { entries, ids, faults } = listFiles(root);
  const remarks: string[] = [];
  const report = (fault: string) => void faults.push(fault);
  const advise = (advice: string) => void remarks.push(advice);
  const pictures = new PictureReader(root, pictureCache, { report, advise });
  const audio = new FileReader<AudioFacts>(root, (path) => inspectAudio(path, audioCache), { report, advise });
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
        const body = await readBody(text, pictures, { bodies, report, advise }, kind);
        texts.push({ ...text, ...body, data: await toData(fields, { id: entry.id, locale, file, pictures, audio }) });
      }
      return { id: entry.id, texts };
    };
    const own = entries.filter((entry) => entry.kind === kind && (only?.includes(kind) ?? true));
    const read: ShopEntry<Data>[] = [];
    const queue = own.entries();
    const work = async () => {
      for (const [index, entry] of queue) read[index] = await readEntry(entry);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return read.filter(({ texts }) => texts.length > 0);
  }

  const parts = {
    folder: root,
    event: await readKind("event", kinds.event, async ({ art, ...fields }, context) => ({
      ...(await resolvePictures(await resolveAudio(fields, context), context, {
        kind: "event",
        date: toDay(fields.starts_at),
        location: fields.city,
        by: fields.line_up.join(" · "),
      })),
      art: art && (await resolvePicture(art, "art", context)),
    })),
    news: await readKind("news", kinds.news, async (fields, context) =>
      resolvePictures(await resolveAudio(fields, context), context, { kind: "news" }),
    ),
    goods: await readKind("goods", kinds.goods, async (fields, context) =>
      resolvePictures(await resolveAudio(fields, context), context, { kind: "goods", by: fields.category }),
    ),
    package: await readKind("package", kinds.package, (fields, context) =>
      resolvePictures(fields, context, { kind: "package", letter: levelLetters[fields.level] }),
    ),
    campaign: await readKind("campaign", kinds.campaign, async ({ art, headline, ...fields }, context) => ({
      ...(await resolvePictures(fields, context, { kind: "campaign" })),
      stops: fields.stops.toSorted((one, other) => one.starts_at.getTime() - other.starts_at.getTime()),
      art: art && (await resolvePicture(art, "art", context)),
      headline: headline && (await resolveLettering(headline, "headline", context)),
    })),
    about: await readKind("about", kinds.about, async (fields) => fields),
  };
  faults.push(...findRuleFaults({ ...parts, site, ids }, bodies));
  const toFile = (fault: string) => /^[^:]*/.exec(fault)?.[0] ?? "";
  if (!site || faults.length > 0)
    return { shop: null, faults: faults.toSorted((a, b) => (toFile(a) < toFile(b) ? -1 : toFile(a) > toFile(b) ? 1 : 0)) };
  const toSame = (path: string) => path.normalize("NFC");
  const paths = new Set([...pictures.paths, ...audio.paths].map(toSame));
  const unusedFiles = entries.flatMap(({ kind, id, pictures, audio }) =>
    [...pictures, ...audio].map((name) => `${kind}/${id}/${name}`).filter((path) => !paths.has(toSame(path))),
  );
  return { shop: { ...parts, site, unusedFiles, remarks: remarks.toSorted() }, faults: [] };
}

/** Returns the day in China. */
const toDay = (date: Date) => formatTime(date).slice(0, 10);

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
