// Files of a built site, and what a build prints about its pictures.

import { hash } from "node:crypto";
import { copyFileSync, existsSync, linkSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

/** The file of a built site with the first pictures of its items and passes, and of earlier items and passes. */
export const productPicturesFile = ".hosting/product-pictures.json";
/** Their addresses, by `goods/<uid>` and `package/<uid>`. */
export type ProductPictures = Record<string, string[]>;

/** Says how far pictures are encoded, which may take minutes. */
export const formatPrepared = (count: number, total: number) => `Preparing pictures: ${count} of ${total}`;
/** Says how many share cards there are. `ms`: how long drawing the new ones took. */
export function formatCards(count: number, drawn: number, ms: number): string {
  const each = drawn > 0 ? `, ${(ms / drawn).toFixed(0)} ms for each` : "";
  return `${count} share cards in ${(ms / 1000).toFixed(1)} s, of which ${drawn} are new${each}`;
}
/** Formats the warning about a character that no font of posters and share cards has. */
export const formatMissing = (character: string, text: string) =>
  `No font has ${character}: a block stands for it in "${text}"`;
/** What of a build is worth a line of a command that prints nothing else of it: pictures and cards that it draws. */
export const pictureLogLines =
  /Preparing pictures: \d+ of \d+|\d+ share cards in [\d.]+ s, of which [1-9]\d* are new|No font has .*"/g;

export const toSum = (body: Uint8Array) => hash("sha256", body);

/** Returns whether a file of a build is public, and not compressed from another. */
const isPublic = (path: string) => !/(^|\/)\./.test(path) && !path.endsWith(".br");

/** Returns the public files of a build, as paths with `/`, in order. */
export async function listFiles(dist: string): Promise<string[]> {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => relative(dist, join(parentPath, name)).split(sep).join("/"));
  return paths.filter(isPublic).sort();
}

/** Runs `run` for every item, several at once, so that reading and writing does not wait for computing. */
export async function forEach<Item>(items: readonly Item[], run: (item: Item) => Promise<void>, atOnce = 8): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await run(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Writes a file of a site, with its folder. */
export async function writeInto(dist: string, path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(dist, path)), { recursive: true });
  await writeFile(join(dist, path), content);
}

/** Puts a file of which nobody changes the content into another place as well: as a link, which writes nothing, or as a copy on another disk. Returns false when there is no such file. */
export function placeFile(from: string, to: string): boolean {
  if (!existsSync(from)) return false;
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
  return true;
}
