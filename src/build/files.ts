import { hash } from "node:crypto";
import { copyFileSync, existsSync, linkSync, mkdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

/** The file of a built site with the first pictures of its items and passes, and of those that it had before. */
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
export const drawings =
  /Preparing pictures: \d+ of \d+|\d+ share cards in [\d.]+ s, of which [1-9]\d* are new|No font has .*"/g;

/** The variable of a build that begins while the server starts, and waits for its origin before it renders. */
export const awaitsServerVariable = "BUILD_AWAITS_SERVER";
/** The variable of a build that draws no share cards. */
export const withoutNewCardsVariable = "BUILD_WITHOUT_NEW_CARDS";
/** The file of a built site with the addresses of the share cards that it lacks. */
export const missingCardsFile = ".hosting/missing-cards";

export const toSum = (body: Uint8Array) => hash("sha256", body);

/** Returns all files of a folder and those in it, as paths with `/`, in order. */
export async function listAllFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  // By folder, as each has thousands.
  const prefixes = new Map<string, string>();
  const toPrefix = (folder: string) => {
    const prefix = prefixes.get(folder) ?? join(relative(root, folder), sep).split(sep).join("/").replace(/^\//, "");
    prefixes.set(folder, prefix);
    return prefix;
  };
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => toPrefix(parentPath) + name)
    .sort();
}

/** Returns whether a file of a build is public, and not compressed from another. */
export const isPublic = (path: string) => !/(^|\/)\./.test(path) && !path.endsWith(".br");

/** Returns the public files of a build, as paths with `/`. */
export const listFiles = async (dist: string): Promise<string[]> => (await listAllFiles(dist)).filter(isPublic);

/** Runs `run` for every item, several at once, so that reading and writing does not wait for computing. */
export async function forEach<Item>(items: readonly Item[], run: (item: Item) => Promise<void>, atOnce = 8): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await run(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Puts a file of which nobody changes the content into another place as well: as a link, which writes nothing, or as a copy on another disk. Returns false when there is no such file. Waits for the disk, which takes less time than a thread that waits for it. */
export function placeFile(from: string, to: string): boolean {
  const attempt = (put: typeof linkSync) => {
    try {
      put(from, to);
      return null;
    } catch (error) {
      return error instanceof Error && "code" in error ? error.code : "";
    }
  };
  let fault = attempt(linkSync);
  if (fault === "ENOENT" && existsSync(from)) {
    mkdirSync(dirname(to), { recursive: true });
    fault = attempt(linkSync);
  }
  if (fault === null || fault === "EEXIST") return true;
  return fault !== "ENOENT" && attempt(copyFileSync) === null;
}
