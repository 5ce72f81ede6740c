// Edits the HTML of a built page: purged inline styles, security policy, scripts and preloads of islands, AVIF sources that save nothing.

import { findPictures } from "#src/lib/media-address.ts";
import type { ClientGraph } from "./chunks.ts";
import { findForbidden, type Origins, readHashes, toHash, toPolicy } from "./content-security-policy.ts";
import { applyEdits, type Edit, findTags, type Tag } from "./html.ts";
import { islandEdits, numberIslands, type Shared, shareIslandScript } from "./islands.ts";

/** Parts of the build that pages refer to. */
export interface Parts {
  graph: ClientGraph;
  origins: Origins;
  /** The style sheets of the build, by URL. */
  sheets: ReadonlyMap<string, string>;
  /** The inline scripts of the project's own components (`buildRecord.scripts`). */
  scripts: ReadonlySet<string>;
  /** Hashes of pictures that are larger as AVIF than as WebP. */
  largerAsAvif: ReadonlySet<string>;
}

/** A parsed page that waits for the purged styles of its route. */
export interface PendingPage {
  /** Its style sheets, concatenated. */
  css: string;
  tags: readonly Tag[];
  /** Code of the modules that it may run. */
  code: readonly string[];
  shared: Shared | null;
  /** Returns the rewritten page with these styles, and its policy. `html` is the text that was parsed. */
  finish: (html: string, css: string) => { html: string; policy: string };
}

/** Parses a built page and prepares its edits. Throws when the page violates the policy. */
export function prepareRewrite(html: string, { graph, origins, sheets, scripts, largerAsAvif }: Parts): PendingPage {
  const tags = findTags(html);
  const fault = findForbidden(tags);
  if (fault) throw new Error(`the policy forbids ${fault.slice(0, 200)}`);
  const isOwnPolicy = ({ attributes }: Tag) => attributes.get("http-equiv") === "content-security-policy";
  const astroPolicies = tags.filter(isOwnPolicy);
  const hashes = readHashes(tags, scripts, astroPolicies.map(({ attributes }) => attributes.get("content")).join(" "));
  const { shared, moved } = shareIslandScript(tags);
  const isMoved = ({ start }: Tag) => moved.some((edit) => edit.start === start);
  const scriptHashes = hashes.filter(({ tag }) => !isMoved(tag)).map(({ hash }) => hash);
  const styles = findStyles(tags, sheets);
  const urls = tags.flatMap(({ attributes }) => scriptAttributes.flatMap((name) => attributes.get(name) ?? []));
  const edits = [
    ...astroPolicies.map(({ start, end }) => ({ start, end, text: "" })),
    ...moved,
    ...deferModules(tags),
    ...islandEdits(tags, graph),
    ...numberIslands(html, tags),
    ...removeRepeatedPosters(tags),
    ...removeLargerAvif(html, tags, largerAsAvif),
  ];
  const charset = tags.find(({ name, attributes }) => name === "meta" && attributes.has("charset"));
  const head = charset ?? tags.find(({ name }) => name === "head");
  const isCounted = tags.some(({ name, attributes }) => name === "html" && attributes.has("data-statistics"));
  const hasManifest = tags.some(({ name, attributes }) => name === "link" && attributes.get("rel") === "manifest");
  const own = { ...origins, statistics: isCounted ? origins.statistics : null, hasManifest };
  return {
    css: styles.map(({ css }) => css).join("\n"),
    tags,
    code: graph.reachable(urls.filter((url) => url.endsWith(".js")).sort()),
    shared,
    finish: (page, css) => {
      const policy = toPolicy(own, scriptHashes, css ? [toHash(css)] : []);
      const meta = `<meta http-equiv="content-security-policy" content="${policy}">`;
      // First in the head, so that it covers everything after it.
      const first = head ? [{ start: head.end, end: head.end, text: meta }] : [];
      const inlined = styles.map(({ tag: { start, end } }, index) => {
        return { start, end, text: index === 0 && css ? `<style>${css}</style>` : "" };
      });
      return { html: applyEdits(page, [...first, ...inlined, ...edits]), policy };
    },
  };
}

const scriptAttributes = ["src", "component-url", "renderer-url"];

/** Returns the style sheets of a page with their text. Throws when one is not in the build. */
function findStyles(tags: readonly Tag[], sheets: ReadonlyMap<string, string>): { tag: Tag; css: string }[] {
  return tags.flatMap((tag) => {
    const { name, attributes } = tag;
    if (name === "style" && attributes.size === 0) return [{ tag, css: tag.text ?? "" }];
    if (name !== "link" || attributes.get("rel") !== "stylesheet") return [];
    const css = sheets.get(attributes.get("href") ?? "");
    if (css === undefined) throw new Error(`the style sheet ${attributes.get("href")} is not in the build`);
    return [{ tag, css }];
  });
}

/** Lowers the priority of module scripts, below pictures and fonts. */
function deferModules(tags: readonly Tag[]): Edit[] {
  return tags
    .filter(({ name, attributes }) => name === "script" && attributes.get("type") === "module" && attributes.has("src"))
    .map(({ start }) => ({ start: start + "<script".length, end: start + "<script".length, text: ' fetchpriority="low"' }));
}

const avifSources = /(?:\/pictures\/[0-9a-f]{12}\.\w+\/\d+\.avif \d+w(?:, )?)+/g;

/** Removes the AVIF sources of pictures that are larger as AVIF, also from the props of islands. */
function removeLargerAvif(html: string, tags: readonly Tag[], largerAsAvif: ReadonlySet<string>): Edit[] {
  const isLarger = (srcset: string) => findPictures(srcset).some(({ hash }) => largerAsAvif.has(hash));
  return tags.flatMap(({ name, attributes, ranges: { props }, start, end }) => {
    if (name === "source" && attributes.get("type") === "image/avif")
      return isLarger(attributes.get("srcset") ?? "") ? [{ start, end, text: "" }] : [];
    if (name !== "astro-island" || !props || !isLarger(attributes.get("props") ?? "")) return [];
    const text = html.slice(props.startOffset, props.endOffset);
    return [
      { start: props.startOffset, end: props.endOffset, text: text.replace(avifSources, (all) => (isLarger(all) ? "" : all)) },
    ];
  });
}

/** Removes `data-transition` from all but the first picture with the same value, because browsers skip a view transition if its name occurs twice. */
function removeRepeatedPosters(tags: readonly Tag[]): Edit[] {
  const names = new Set<string>();
  return tags.flatMap(({ name, attributes, ranges }) => {
    const transition = attributes.get("data-transition");
    const range = ranges["data-transition"];
    if (name !== "img" || transition === undefined || !range || names.size < names.add(transition).size) return [];
    return [{ start: range.startOffset - 1, end: range.endOffset, text: "" }];
  });
}
