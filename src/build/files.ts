// Lists, copies and writes the files of a built site, and formats the log lines about pictures that quiet commands print too.

import { hash } from "node:crypto";
import { copyFileSync, existsSync, linkSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

/** File of a built site that lists the first pictures of all items and passes, including removed ones. */
export const productPicturesFile = ".hosting/product-pictures.json";
/** URLs of the first pictures, by `goods/<uid>` and `package/<uid>`. */
export type ProductPictures = Record<string, string[]>;

/** Formats the progress of encoding pictures, which may take minutes. */
export const formatPrepared = (count: number, total: number) => `Preparing pictures: ${count} of ${total}`;
/** Formats the number of share cards. `ms`: how long writing them took. */
export function formatCards(count: number, drawn: number, ms: number): string {
  const each = drawn > 0 ? `, ${(ms / drawn).toFixed(0)} ms for each` : "";
  return `${count} share cards in ${(ms / 1000).toFixed(1)} s, of which ${drawn} are new${each}`;
}
/** Formats the warning about a character that no font of posters and share cards has. */
export const formatMissing = (character: string, text: string) =>
  `No font has ${character}: a block stands for it in "${text}"`;
/** Matches the log lines that start and publish print of a build: progress of pictures, number of new cards, missing glyphs. */
export const pictureLogLines =
  /Preparing pictures: \d+ of \d+|\d+ share cards in [\d.]+ s, of which [1-9]\d* are new|No font has .*"/g;

export const toSum = (body: Uint8Array) => hash("sha256", body);

/** Returns whether a built file is part of the site: in no folder that begins with a dot, and no Brotli copy. */
const isPublic = (path: string) => !/(^|\/)\./.test(path) && !path.endsWith(".br");

/** Returns the sorted paths, with `/`, of the public files in an output directory. */
export async function listFiles(dist: string): Promise<string[]> {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => relative(dist, join(parentPath, name)).split(sep).join("/"));
  return paths.filter(isPublic).sort();
}

/** Calls `run` for every item, `atOnce` at a time, so that I/O and computation overlap. */
export async function forEach<Item>(items: readonly Item[], run: (item: Item) => Promise<void>, atOnce = 8): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await run(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Writes a file of a site, and creates its folder. */
export async function writeInto(dist: string, path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(dist, path)), { recursive: true });
  await writeFile(join(dist, path), content);
}

/** Hard-links an immutable file, or copies it across file systems. Returns false if it does not exist. */
export function placeFile(from: string, to: string): boolean {
  if (!existsSync(from)) return false;
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
  return true;
}
