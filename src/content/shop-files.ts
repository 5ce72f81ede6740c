import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Locale, locales } from "../../i18n/locale.ts";
import { isId } from "./schema/field.ts";
import { type Kind, kindNames } from "./schema/kinds.ts";

/** Names whose URLs belong to other pages: `/event/index` is the list. */
const reserved: Partial<Record<Kind, readonly string[]>> = { event: ["spring"], news: ["page"] };
export const isReserved = (kind: Kind, name: string) => name === "index" || Boolean(reserved[kind]?.includes(name));
const pictureName = /\.(svg|png|jpe?g|webp|avif|gif|heic|heif|tiff?|bmp)$/i;
/** Audio, of which MP3 is published. */
export const audioName = /\.(mp3|m4a|aac|ogg|oga|opus|wav|flac|aiff?|wma)$/i;
const textName = /\.(md|mdx|markdown|txt|html?|ya?ml|docx?|rtf)$/i;
const ignored = /^\.|^(Thumbs\.db|desktop\.ini)$/i;
const fileNames = locales.map((locale) => `index.${locale}.md`).join(" and ");

/** The files of an entry. */
export interface EntryFiles {
  kind: Kind;
  id: string;
  /** Paths relative to the shop's folder. */
  texts: Partial<Record<Locale, string>>;
  /** Paths relative to the entry's folder, with `/`. */
  pictures: string[];
  /** As well. */
  audio: string[];
}

const read = (folder: string): Dirent[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !ignored.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** Lists the entries of a shop by kind, and the files that nothing would read, each as a sentence. */
export function listFiles(folder: string): { entries: EntryFiles[]; faults: string[] } {
  if (!existsSync(folder))
    return { entries: [], faults: [`${folder}: there is no such folder; a shop's folder has a site.yaml`] };
  const faults: string[] = [];
  const entries: EntryFiles[] = [];
  for (const entry of read(folder)) {
    const kind = kindNames.find((kind) => kind === entry.name);
    if (entry.isFile()) faults.push(...checkTopFile(entry.name));
    else if (kind) entries.push(...listKind(folder, kind, faults));
    else if (holdsTexts(join(folder, entry.name)))
      faults.push(
        `${entry.name}: is not read: the folders of a shop are ${kindNames.join(", ")}, such as: event/night-boat/index.zh-CN.md`,
      );
  }
  return { entries, faults };
}

function checkTopFile(name: string): string[] {
  if (name === "site.yaml" || /^(readme|licen[cs]e|changelog)/i.test(name)) return [];
  if (/^site\./i.test(name) && textName.test(name)) return [`${name}: is not read: the file is called site.yaml`];
  return textName.test(name) && /^index\.|\.md$|\.markdown$/i.test(name)
    ? [`${name}: is not read: a text stands in a folder of its own, such as: news/new-record/index.zh-CN.md`]
    : [];
}

const holdsTexts = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).some((name) => /[\\/]index\.[\w-]+\.md$/.test(name));

function listKind(folder: string, kind: Kind, faults: string[]): EntryFiles[] {
  const entries: EntryFiles[] = [];
  const ids = new Map<string, string>();
  for (const entry of read(join(folder, kind))) {
    const path = `${kind}/${entry.name}`;
    if (!entry.isDirectory()) {
      faults.push(`${path}: is not read: a text stands in a folder of its own, such as: ${kind}/new-one/index.zh-CN.md`);
      continue;
    }
    const other = ids.get(entry.name.toLowerCase());
    ids.set(entry.name.toLowerCase(), entry.name);
    if (other !== undefined)
      faults.push(`${path}: differs from ${kind}/${other} only in small and capital letters: rename one of them`);
    if (!isId(entry.name))
      faults.push(
        `${path}: the folder's name is the id: at most 48 small letters, digits and dashes, such as: ${kind}/new-one`,
      );
    else if (isReserved(kind, entry.name))
      faults.push(`${path}: ${entry.name} is the address of another page: rename the folder, such as: ${kind}/${entry.name}-1`);
    else entries.push(listEntry(folder, kind, entry.name, faults));
  }
  return entries.filter(({ texts }) => Object.keys(texts).length > 0);
}

function listEntry(folder: string, kind: Kind, id: string, faults: string[]): EntryFiles {
  const entry: EntryFiles = { kind, id, texts: {}, pictures: [], audio: [] };
  const before = faults.length;
  const visit = (path: string) => {
    for (const file of read(join(folder, kind, id, path))) {
      const name = path + file.name;
      const locale = locales.find((locale) => name === `index.${locale}.md`);
      if (file.isDirectory()) visit(`${name}/`);
      else if (locale) entry.texts[locale] = `${kind}/${id}/${name}`;
      else if (pictureName.test(name)) entry.pictures.push(name);
      else if (audioName.test(name)) entry.audio.push(name);
      else
        faults.push(
          `${kind}/${id}/${name}: is not read: the texts of an entry are called ${fileNames}, pictures end in .jpg, .png, .webp, .avif or .svg, audio in .mp3`,
        );
    }
  };
  visit("");
  if (Object.keys(entry.texts).length === 0 && faults.length === before)
    faults.push(`${kind}/${id}: has no text: it is called ${fileNames}`);
  return entry;
}
