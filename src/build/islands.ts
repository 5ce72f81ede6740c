import { createHash } from "node:crypto";
import type { Chunks } from "./chunks.ts";
import type { Edit, Tag } from "./html.ts";
import { minified } from "./scripts.ts";

/** A script that pages have in common. */
export interface Shared {
  file: string;
  text: string;
}

const startsIslands = /astro-island|self\.Astro\b/;

/** What starts islands, taken out of pages that only members see: they come back, and then have it. Readers have it in the page, where it costs no way of its own. */
export function sharedScript(html: string, tags: Tag[], chunks: Chunks): { shared: Shared | null; moved: Edit[] } {
  const forMembers = tags.some(({ name, attributes }) => name === "html" && attributes.has("data-session"));
  const scripts = tags.filter(
    ({ name, attributes, text }) => name === "script" && attributes.size === 0 && startsIslands.test(text ?? ""),
  );
  if (!forMembers || scripts.length === 0) return { shared: null, moved: [] };
  const text = minified(scripts.map((script) => script.text).join(";\n"));
  const file = `_astro/islands.${createHash("sha256").update(text).digest("base64url").slice(0, 8)}.js`;
  const moved = scripts.map(({ start, end }, index) => ({
    start,
    end,
    text: index === 0 ? `<script async src="/${file}"></script>` : "",
  }));
  // React is most of what follows, and need not wait for what asks for it.
  const urls = tags.flatMap(({ attributes }) => attributes.get("renderer-url") ?? []);
  const react = chunks.dependencies(urls).find((url) => /\/react\./.test(url));
  const at = html.indexOf("</head>");
  const ahead = react && at >= 0 ? [{ start: at, end: at, text: `<link rel="modulepreload" href="${react}">` }] : [];
  return { shared: { file, text }, moved: [...moved, ...ahead] };
}

/** On a slow line an island's chunks must be asked for together, not one after the other; of islands that start at once, each names only what none before it has named. */
export function islandEdits(html: string, tags: Tag[], chunks: Chunks): Edit[] {
  const named = new Set<string>();
  return tags.flatMap(({ name, attributes, start, end }) => {
    if (name !== "astro-island") return [];
    const own = ["component-url", "renderer-url", "before-hydration-url"].flatMap((key) => attributes.get(key) ?? []);
    const atOnce = attributes.get("opts")?.includes(`"value":"now"`) ?? false;
    const dependencies = chunks.dependencies(own).filter((url) => !named.has(url));
    if (atOnce) for (const url of dependencies) named.add(url);
    const at = start + "<astro-island".length;
    const deps = dependencies.length > 0 ? ` data-deps="${dependencies.join(" ")}"` : "";
    return [{ start, end, text: html.slice(start, at) + deps + html.slice(at, end).replace(quotedJson, requoted) }];
  });
}

/** What holds JSON, which is full of double quotes. */
const quotedJson = / (props|opts)="([^"]*)"/g;

function requoted(_: string, name: string, value: string): string {
  return ` ${name}='${value.replaceAll("'", "&#39;").replaceAll("&quot;", '"')}'`;
}
