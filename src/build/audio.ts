import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { getAudioCache, readAudio } from "../content/audio/inspect.ts";
import { getPictureCache } from "../content/picture/record.ts";
import { selectPublished } from "../content/publish.ts";
import { readShop } from "../content/read.ts";
import type { Shop } from "../content/shop.ts";

/** Writes the audio that published texts name; in development serves it. */
export function audio(): AstroIntegration {
  let content = process.env.CONTENT_DIR;
  return {
    name: "audio",
    hooks: {
      "astro:config:done": ({ config }) => {
        content ||= fileURLToPath(new URL("content", config.srcDir));
      },
      "astro:server:setup": ({ server }) => {
        server.middlewares.use(async (request, response, next) => {
          const file = request.url?.startsWith("/audio/") ? await readAudio(request.url, getAudioCache()) : null;
          if (!file) return next();
          response.setHeader("Content-Type", "audio/mpeg");
          response.end(file);
        });
      },
      "astro:build:done": async ({ dir }) => {
        const caches = { pictureCache: getPictureCache(), audioCache: getAudioCache() };
        const { shop } = await readShop(content ?? "", caches);
        if (shop) await writeAudio(fileURLToPath(dir), shop, caches.audioCache);
      },
    },
  };
}

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
