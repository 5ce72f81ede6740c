import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { type Locale, locales } from "#i18n/locale.ts";
import { findPublicFaults, publicFolder } from "./public-files.ts";
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
export const siteFile = "site.yaml";
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

interface FolderEntry {
  name: string;
  /** Of what a link leads to; `nothing` where it leads nowhere. */
  type: "file" | "folder" | "nothing";
  isLink: boolean;
}

const read = (folder: string): FolderEntry[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !ignored.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => ({ name: entry.name, type: getType(join(folder, entry.name)), isLink: entry.isSymbolicLink() }));

function getType(path: string): FolderEntry["type"] {
  try {
    const stats = statSync(path);
    return stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "nothing";
  } catch {
    // Without an end: a link to itself.
    return "nothing";
  }
}

/** Returns whether a file is elsewhere than in the shop's folder once links are followed: what lies there is no one's to publish. */
export function isOutside(folder: string, path: string): boolean {
  return existsSync(path) && !realpathSync(path).startsWith(realpathSync(folder) + sep);
}

/** What the folder of a shop has. */
interface ShopFiles {
  entries: EntryFiles[];
  /** The ids of each kind, with those of entries whose folder or file has a wrong name: what names them is right. */
  ids: Record<Kind, Set<string>>;
  faults: string[];
}

/** Lists the entries of a shop by kind, and the files that nothing would read, each as a sentence. */
export function listFiles(folder: string): ShopFiles {
  const newIds = () => new Set<string>();
  const ids = {
    event: newIds(),
    news: newIds(),
    goods: newIds(),
    package: newIds(),
    campaign: newIds(),
    about: newIds(),
  };
  if (!existsSync(folder))
    return { entries: [], ids, faults: [`${folder}: there is no such folder; a shop's folder has a site.yaml`] };
  const faults: string[] = [];
  const entries: EntryFiles[] = [];
  for (const entry of read(folder)) {
    const kind = kindNames.find((kind) => kind === entry.name);
    const isElsewhere = isOutside(folder, join(folder, entry.name));
    if (entry.name === publicFolder) faults.push(...findPublicFaults(folder));
    else if (entry.type === "nothing") faults.push(...(kind || entry.name === siteFile ? [describeDeadLink(entry.name)] : []));
    else if (isElsewhere && (kind || entry.name === siteFile)) faults.push(describeLinkOut(entry.name));
    else if (entry.type === "file") faults.push(...checkTopFile(entry.name));
    else if (kind) entries.push(...listKind(folder, kind, ids[kind], faults));
    else if (!isElsewhere && holdsTexts(join(folder, entry.name)))
      faults.push(
        `${entry.name}: is not read: the folders of a shop are ${kindNames.join(", ")}, such as: event/night-boat/index.zh-CN.md`,
      );
  }
  return { entries, ids, faults };
}

const describeDeadLink = (path: string) =>
  `${path}: is a link that leads to no file or folder: put what it stands for there, or remove it`;
const describeLinkOut = (path: string) => `${path}: is a link out of the shop's folder: put what it leads to there`;

function checkTopFile(name: string): string[] {
  if (name === siteFile || /^(readme|licen[cs]e|changelog)/i.test(name)) return [];
  if (/^site\./i.test(name) && textName.test(name)) return [`${name}: is not read: the file is called ${siteFile}`];
  return textName.test(name) && /^index\.|\.md$|\.markdown$/i.test(name)
    ? [`${name}: is not read: a text stands in a folder of its own, such as: news/new-record/index.zh-CN.md`]
    : [];
}

const holdsTexts = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).some((name) => /[\\/]index\.[\w-]+\.md$/.test(name));

function listKind(folder: string, kind: Kind, ids: Set<string>, faults: string[]): EntryFiles[] {
  const entries: EntryFiles[] = [];
  const names = new Map<string, string>();
  for (const entry of read(join(folder, kind))) {
    const path = `${kind}/${entry.name}`;
    const isElsewhere = isOutside(folder, join(folder, path));
    if (entry.type === "nothing" || isElsewhere) {
      faults.push(isElsewhere ? describeLinkOut(path) : describeDeadLink(path));
      continue;
    }
    if (entry.type === "file") {
      faults.push(`${path}: is not read: a text stands in a folder of its own, such as: ${kind}/new-one/index.zh-CN.md`);
      continue;
    }
    const other = names.get(entry.name.toLowerCase());
    names.set(entry.name.toLowerCase(), entry.name);
    const id = toId(entry.name);
    ids.add(id);
    if (other !== undefined)
      faults.push(`${path}: differs from ${kind}/${other} only in small and capital letters: rename one of them`);
    else if (!isId(entry.name))
      faults.push(
        `${path}: the folder's name is the id: at most 48 small letters, digits and dashes: rename it, such as: ${kind}/${id}`,
      );
    else if (isReserved(kind, entry.name))
      faults.push(`${path}: ${entry.name} is the address of another page: rename the folder, such as: ${kind}/${entry.name}-1`);
    else {
      const files = listEntry(folder, kind, entry.name, faults);
      if (files) entries.push(files);
    }
  }
  return entries;
}

/** Returns the id that is nearest to the name of a folder. */
function toId(name: string): string {
  if (isId(name)) return name;
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, 48)
    .replace(/-+$/, "");
  return id || "new-one";
}

/** Returns the language of a text whose name is nearly right: `index.zh-cn.md`. */
const findMeant = (name: string) =>
  locales.find((locale) => new RegExp(`^index[._-]${locale.slice(0, 2)}([-_]\\w+)?\\.md$`, "i").test(name));

/** Returns the files of an entry; null when it has no text, or one whose name hides what the others lack. */
function listEntry(folder: string, kind: Kind, id: string, faults: string[]): EntryFiles | null {
  const entry: EntryFiles = { kind, id, texts: {}, pictures: [], audio: [] };
  const before = faults.length;
  const own = new Set(readdirSync(join(folder, kind, id)));
  let hasMisnamed = false;
  const visit = (path: string) => {
    for (const file of read(join(folder, kind, id, path))) {
      const name = path + file.name;
      const locale = locales.find((locale) => name === `index.${locale}.md`);
      const meant = locale ? undefined : findMeant(name);
      const filePath = `${kind}/${id}/${name}`;
      if (file.type === "nothing") faults.push(describeDeadLink(filePath));
      // What a text names in a folder that is a link is found by its name.
      else if (file.type === "folder" && file.isLink) continue;
      else if (file.type === "folder") visit(`${name}/`);
      else if (locale && isOutside(folder, join(folder, filePath))) faults.push(describeLinkOut(filePath));
      else if (locale) entry.texts[locale] = filePath;
      else if (meant && !own.has(`index.${meant}.md`)) {
        hasMisnamed = true;
        faults.push(`${filePath}: is not read: rename it to index.${meant}.md`);
      } else if (pictureName.test(name)) entry.pictures.push(name);
      else if (audioName.test(name)) entry.audio.push(name);
      else
        faults.push(
          `${filePath}: is not read: the texts of an entry are called ${fileNames}, pictures end in .jpg, .png, .webp, .avif or .svg, audio in .mp3`,
        );
    }
  };
  visit("");
  if (Object.keys(entry.texts).length === 0 && faults.length === before)
    faults.push(`${kind}/${id}: has no text: it is called ${fileNames}`);
  return hasMisnamed || Object.keys(entry.texts).length === 0 ? null : entry;
}
