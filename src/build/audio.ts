import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readAudio } from "../content/audio/inspect.ts";
import { selectPublished } from "../content/publish.ts";
import type { Shop } from "../content/shop.ts";

/** Returns the addresses of the audio of what a shop has published, of pages that the build may not know. */
export function listAudio(shop: Shop): string[] {
  const { event, news, goods } = selectPublished(shop, new Date());
  return [event, news, goods].flatMap((entries) =>
    entries.flatMap(({ texts }) => texts.flatMap(({ data }) => data.audio?.map(({ url }) => url) ?? [])),
  );
}

/** Writes the audio of a shop with these addresses into a site. */
export async function writeAudio(dist: string, urls: Iterable<string>, cache: string): Promise<void> {
  for (const url of new Set(urls)) {
    const file = await readAudio(url, cache);
    if (!file) throw new Error(`${url} is no audio of the shop any more: build again`);
    await mkdir(dirname(join(dist, url)), { recursive: true });
    await writeFile(join(dist, url), file);
  }
}
