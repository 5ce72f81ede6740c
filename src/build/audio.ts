import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readAudio } from "../content/audio/inspect.ts";
import { selectPublished } from "../content/publish.ts";
import type { Shop } from "../content/shop.ts";

/** Writes the audio of what a shop has published into a site. */
export async function writeAudio(dist: string, shop: Shop, cache: string): Promise<void> {
  const { event, news, goods } = selectPublished(shop, new Date());
  const texts = [event, news, goods].flatMap((entries) => entries.flatMap(({ texts }) => texts.map(({ data }) => data.audio)));
  for (const url of new Set(texts.flatMap((pieces = []) => pieces.map(({ url }) => url)))) {
    const file = await readAudio(url, cache);
    if (!file) throw new Error(`${url} is no audio of the shop any more: build again`);
    await mkdir(dirname(join(dist, url)), { recursive: true });
    await writeFile(join(dist, url), file);
  }
}
