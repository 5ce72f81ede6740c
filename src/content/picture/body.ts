import { toSrcset } from "#src/lib/picture.ts";
import { toTint } from "#src/lib/tint.ts";
import { getAttribute, type HtmlElement } from "../html-tree.ts";
import { getPictureCache, type PictureFacts, readRecord } from "./record.ts";

const address = /^\/pictures\/([0-9a-f]{12})\./;
/** The column of a text is 38rem wide at most. */
const sizes = "auto, (min-width: 40rem) 38rem, 100vw";

/** By hash, which stands for the content: it stays true. */
const factsByHash = new Map<string, PictureFacts>();

/** Gives the pictures of a text their size, widths and colour, which Markdown cannot name. */
export async function completePictures(elements: readonly HtmlElement[], cache = getPictureCache()): Promise<void> {
  for (const element of elements) {
    const url = getAttribute(element, "src") ?? "";
    const hash = element.tagName === "img" && address.exec(url)?.[1];
    const facts = hash && (factsByHash.get(hash) ?? (await readRecord(cache, hash))?.facts);
    if (!facts) continue;
    factsByHash.set(facts.hash, facts);
    const { width, height } = facts;
    // A tall one is not as wide as its box, whose colour would show.
    const [srcset, tint] = [toSrcset(url), height <= 1.05 * width ? toTint(url) : undefined];
    const name = height > 2 * width ? "tall" : tint;
    const attributes = {
      width: String(width),
      height: String(height),
      loading: "lazy",
      decoding: "async",
      ...(srcset ? { srcset, sizes } : {}),
      ...(name ? { class: name } : {}),
    };
    // `loading` before `src`: browsers may begin to fetch as they read.
    element.attrs.unshift(...Object.entries(attributes).map(([name, value]) => ({ name, value })));
  }
}
