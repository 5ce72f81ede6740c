import { toSrcset } from "../../lib/picture.ts";
import { toTint } from "../../lib/tint.ts";
import { getPictureCache, type PictureFacts, readRecord } from "./record.ts";

const image = /<img src="(\/pictures\/([0-9a-f]{12})\.[^"]+)"/g;
/** The column of a text is 38rem wide at most. */
const sizes = "auto, (min-width: 40rem) 38rem, 100vw";

/** By hash, which stands for the content: it stays true. */
const factsByHash = new Map<string, PictureFacts>();

/** Returns the HTML of a text with the size, the widths and the colour of its pictures, which Markdown cannot name. */
export async function completePictures(html: string, cache = getPictureCache()): Promise<string> {
  let completed = "";
  let end = 0;
  for (const match of html.matchAll(image)) {
    const [tag, url = "", hash = ""] = match;
    const facts = factsByHash.get(hash) ?? (await readRecord(cache, hash))?.facts;
    if (!facts) continue;
    factsByHash.set(hash, facts);
    const { width, height } = facts;
    // A tall one is not as wide as its box, whose colour would show.
    const [srcset, tint] = [toSrcset(url), height <= 1.05 * width ? toTint(url) : undefined];
    const name = height > 2 * width ? "tall" : tint;
    const attributes = [
      `width="${width}" height="${height}" loading="lazy" decoding="async"`,
      ...(srcset ? [`srcset="${srcset}" sizes="${sizes}"`] : []),
      ...(name ? [`class="${name}"`] : []),
    ];
    // `loading` before `src`: browsers may begin to fetch as they read.
    completed += `${html.slice(end, match.index)}<img ${attributes.join(" ")} src="${url}"`;
    end = match.index + tag.length;
  }
  return completed + html.slice(end);
}
