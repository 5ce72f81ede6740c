import type { Chunks } from "./chunks.ts";
import { type Edit, edited, type Tag, tagsOf } from "./html.ts";
import { islandEdits, type Shared, sharedScript } from "./islands.ts";
import { type Origins, policyOf, refused } from "./policy.ts";
import { purge } from "./purge.ts";
import { modulesLast, scriptEdits } from "./scripts.ts";
import { vocabularyOf } from "./vocabulary.ts";

export interface Finished {
  html: string;
  policy: string;
  /** A script that it shares with others, to be written beside it. */
  shared: Shared | null;
  /** Characters of inline styles, before and after. */
  css: { before: number; after: number };
}

/** Finishes a built page: styles cut to what it uses, islands told what to preload, the policy of what stands in it. Throws when no policy of ours would let it work. */
export function finishPage(html: string, chunks: Chunks, origins: Origins): Finished {
  const tags = tagsOf(html);
  const fault = refused(tags);
  if (fault) throw new Error(`the policy forbids ${fault.slice(0, 200)}`);
  const { edits, css } = purgeStyles(html, tags, chunks);
  const { shared, moved } = sharedScript(tags);
  const own = tags.filter(({ start }) => !moved.some((edit) => edit.start === start));
  const body = edited(html, [
    ...edits,
    ...moved,
    ...scriptEdits(own),
    ...modulesLast(own),
    ...islandEdits(html, tags, chunks),
    ...repeatedSheets(html, tags),
    ...oldPolicies(tags),
  ]);
  const policy = policyOf(tagsOf(body), origins);
  const charset = /<meta charset=[^>]*>/i.exec(body) ?? /<head>/i.exec(body);
  if (!charset) return { html: body, policy, shared, css };
  // First in the head, so that what follows is already under it on any host.
  const at = charset.index + charset[0].length;
  const meta = `<meta http-equiv="content-security-policy" content="${policy}">`;
  return { html: edited(body, [{ start: at, end: at, text: meta }]), policy, shared, css };
}

/** All sheets become one: what one uses may stand in another, and each would cost its hash. */
function purgeStyles(html: string, tags: Tag[], chunks: Chunks): { edits: Edit[]; css: Finished["css"] } {
  const styles = tags.filter(({ name, attributes }) => name === "style" && attributes.size === 0);
  const before = styles.map(({ text }) => text ?? "").join("\n");
  const urls = [...new Set(Array.from(html.matchAll(/\/_astro\/[\w.@~-]+\.js/g), ([url]) => url))];
  const after = before && purge(before, vocabularyOf(tags, chunks.reachable(urls)));
  const edits = styles.map(({ start, end }, index) => ({
    start,
    end,
    text: index === 0 && after ? `<style>${after}</style>` : "",
  }));
  return { edits, css: { before: before.length, after: after.length } };
}

/** A name stands once on a page, or the browser skips the view transition: of several that show one poster, the first travels. */
function repeatedSheets(html: string, tags: Tag[]): Edit[] {
  const names = new Set<string>();
  const isRepeated = (name: string) => names.size === names.add(name).size;
  return tags
    .filter(({ attributes }) => attributes.has("data-sheet") && isRepeated(attributes.get("data-sheet") ?? ""))
    .map(({ start, end }) => ({ start, end, text: html.slice(start, end).replace(/ data-sheet="[^"]*"/, "") }));
}

/** Astro's own policy is the same on every page and wider than any of them needs. */
function oldPolicies(tags: Tag[]): Edit[] {
  return tags
    .filter(
      ({ name, attributes }) => name === "meta" && attributes.get("http-equiv")?.toLowerCase() === "content-security-policy",
    )
    .map(({ start, end }) => ({ start, end, text: "" }));
}
