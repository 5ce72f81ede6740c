import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Loader, LoaderContext } from "astro/loaders";
import { type Locale, locales } from "#i18n/locale.ts";
import { buildRecord } from "#src/lib/build-record.ts";
import { findAudio, findPictures } from "#src/lib/media-address.ts";
import { getAudioCache } from "./audio/inspect.ts";
import { finishHtml } from "./finish-html.ts";
import { getPictureCache } from "./picture/record.ts";
import { selectPublished } from "./publish.ts";
import { type ReadResult, readShop } from "./read.ts";
import { type Kind, kindNames } from "./schema/kinds.ts";
import type { Shop } from "./shop.ts";

type Collection = Kind | "site";

/** What a collection stores of a text. */
interface StoredText {
  id: string;
  locale: Locale;
  data: object;
  html?: string;
}

/** Changes when the same text is rendered in another way. */
const rendering = "9";

/** Wait for an editor to write all of its files. */
const quietMs = 100;

/** The collections of a build share one reading. */
let reading: Promise<ReadResult> | undefined;

function readOnce(folder: string): Promise<ReadResult> {
  if (!reading) {
    const current = readShop(folder, { pictureCache: getPictureCache(), audioCache: getAudioCache() }).finally(() => {
      if (reading === current) reading = undefined;
    });
    reading = current;
  }
  return reading;
}

/** Loads the texts of one kind, or of site.yaml: `entrance/zh-CN` is the id of event/entrance/index.zh-CN.md. Faults of the shop fail the build. */
export function createShopLoader(collection: Collection): Loader {
  return {
    name: "shop",
    load: async (context) => {
      const root = fileURLToPath(context.config.root);
      const folder = process.env.CONTENT_DIR || join(root, "src/content");
      const update = async () => {
        const { shop, faults } = await readOnce(folder);
        if (!shop) throw new Error(`\n${faults.join("\n")}`);
        await storeTexts(context, listTexts(selectPublished(shop, new Date()), collection));
      };
      await update();
      watch(context, folder, async () => {
        // All collections have the same faults: one of them reports them.
        await update().catch((error: Error) => collection === "site" && context.logger.error(error.message));
      });
    },
  };
}

function listTexts(shop: Shop, collection: Collection): StoredText[] {
  if (collection === "site") return locales.map((locale) => ({ id: locale, locale, data: shop.site[locale] }));
  return shop[collection].flatMap(({ id, texts }) =>
    texts.map(({ locale, data, html }) => ({ id: `${id}/${locale}`, locale, data, html })),
  );
}

/** Stores what has changed. */
async function storeTexts({ store, generateDigest, config }: LoaderContext, texts: StoredText[]): Promise<void> {
  const origin = config.site && new URL(config.site).origin;
  const gone = new Set(store.keys());
  for (const { id, locale, data, html } of texts) {
    recordMedia(JSON.stringify([data, html]));
    gone.delete(id);
    const digest = generateDigest({ rendering, origin, data, html });
    if (store.get(id)?.digest === digest) continue;
    const rendered = html === undefined ? undefined : { html: await finishHtml(html, origin, locale) };
    store.set({ id, data: { ...data }, digest, rendered });
  }
  for (const id of gone) store.delete(id);
}

/** Records which pictures and audio a text names: a build writes those alone. */
function recordMedia(text: string): void {
  for (const { url } of findPictures(text)) buildRecord.pictures.add(url);
  for (const url of findAudio(text)) buildRecord.audio.add(url);
}

/** Runs `update` after files of the shop have changed while the development server runs. */
function watch({ watcher }: LoaderContext, folder: string, update: () => Promise<void>): void {
  if (!watcher) return;
  watcher.add(folder);
  let timer: NodeJS.Timeout | undefined;
  watcher.on("all", (_event, path) => {
    const [first = ""] = relative(folder, path).split(sep);
    if (!kindNames.some((kind) => kind === first) && !/^site\.yaml$|\.svg$/.test(first)) return;
    reading = undefined;
    clearTimeout(timer);
    timer = setTimeout(update, quietMs);
  });
}
