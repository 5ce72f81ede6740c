import { existsSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { locales } from "../../i18n/locale.ts";
import type { NewsData } from "./schema.ts";

/** Folder names whose URLs belong to other pages. */
const reserved: Record<string, string[]> = { event: ["spring"], news: ["page"] };
const text = new RegExp(`^([a-z0-9][a-z0-9-]*)/(${locales.join("|")})\\.md$`);
const picture = /^[a-z0-9][a-z0-9-]*\/[\w.-]+\.(svg|png|jpe?g|webp|avif)$/;

/** Returns the files of a collection that no page shows, each as a sentence. */
export function findStrayFiles(root: string, collection: string): string[] {
  const folder = join(root, "src/content", collection);
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return files
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join("/"),
    )
    .flatMap((path) => {
      const name = text.exec(path)?.[1];
      if (name && reserved[collection]?.includes(name))
        return [`src/content/${collection}/${path}: "${name}" is the address of another page`];
      if (name || picture.test(path)) return [];
      return [
        `src/content/${collection}/${path} is not read: a text is called ${locales.map((locale) => `${locale}.md`).join(" or ")}, in a folder of small letters, digits and dashes`,
      ];
    })
    .sort();
}

/** Returns the news about events that do not exist, each as a sentence. */
export function findMissingEvents(root: string, news: readonly { id: string; data: NewsData }[]): string[] {
  return news.flatMap(({ id, data: { event } }) =>
    event === undefined || existsSync(join(root, "src/content/event", event))
      ? []
      : [`src/content/news/${id}.md: event is "${event}", but there is no folder src/content/event/${event}`],
  );
}
