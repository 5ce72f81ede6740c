import { existsSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import type { NewsData } from "./schema.ts";

/** Their URLs are pages of their own. */
const taken: Record<string, string[]> = { event: ["spring"], news: ["page"] };
const text = /^([a-z0-9][a-z0-9-]*)\/(zh-CN|en-US)\.md$/;
const picture = /^[a-z0-9][a-z0-9-]*\/[\w.-]+\.(svg|png|jpe?g|webp|avif)$/;

/** Files of a collection that no page would ever show, each as a sentence. */
export function strayFiles(root: string, collection: string): string[] {
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
      if (name && taken[collection]?.includes(name))
        return [`src/content/${collection}/${path}: "${name}" is the address of another page`];
      if (name || picture.test(path)) return [];
      return [
        `src/content/${collection}/${path} is not read: a text is called zh-CN.md or en-US.md, in a folder of small letters, digits and dashes`,
      ];
    })
    .sort();
}

/** News about events that are not there, each as a sentence. */
export function lostEvents(root: string, news: readonly { id: string; data: NewsData }[]): string[] {
  return news.flatMap(({ id, data: { event } }) =>
    event === undefined || existsSync(join(root, "src/content/event", event))
      ? []
      : [`src/content/news/${id}.md: event is "${event}", but there is no folder src/content/event/${event}`],
  );
}
