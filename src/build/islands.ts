import { createHash } from "node:crypto";
import type { Chunks } from "./chunks.ts";
import type { Edit, Tag } from "./html.ts";
import { minify } from "./scripts.ts";

/** A script that pages have in common. */
export interface Shared {
  file: string;
  text: string;
}

const startsIslands = /astro-island|self\.Astro\b/;

/** What starts islands, taken out of pages that only members see: they come back, and then have it. Readers have it in the page, where it costs no way of its own. */
export function shareIslandScript(tags: Tag[]): { shared: Shared | null; moved: Edit[] } {
  const isMemberPage = tags.some(({ name, attributes }) => name === "html" && attributes.has("data-session"));
  const scripts = tags.filter(
    ({ name, attributes, text }) => name === "script" && attributes.size === 0 && startsIslands.test(text ?? ""),
  );
  if (!isMemberPage || scripts.length === 0) return { shared: null, moved: [] };
  const text = minify(scripts.map((script) => script.text).join(";\n"));
  const file = `_astro/islands.${createHash("sha256").update(text).digest("base64url").slice(0, 8)}.js`;
  const moved = scripts.map(({ start, end }, index) => ({
    start,
    end,
    text: index === 0 ? `<script async src="/${file}"></script>` : "",
  }));
  return { shared: { file, text }, moved };
}

/** On a slow line chunks must be asked for together, not one after the other: of islands that start at once with the page, but for React, which is most of all and has its turn when the page has been painted; of another, all when it starts. */
export function islandEdits(html: string, tags: Tag[], chunks: Chunks): Edit[] {
  const preloaded = new Set<string>();
  const edits = tags.flatMap(({ name, attributes, start, end }) => {
    if (name !== "astro-island") return [];
    checkProps(attributes.get("component-export") ?? "", attributes.get("props") ?? "{}");
    const own = ["component-url", "renderer-url", "before-hydration-url"].flatMap((key) => attributes.get(key) ?? []);
    const dependencies = chunks.dependencies(own);
    const atOnce = attributes.get("opts")?.includes(`"value":"now"`) ?? false;
    if (atOnce) for (const url of [...own, ...dependencies]) if (!isReact.test(url)) preloaded.add(url);
    const later = dependencies.filter((url) => !preloaded.has(url));
    const at = start + "<astro-island".length;
    const deps = later.length > 0 ? ` data-deps="${later.join(" ")}"` : "";
    return [{ start, end, text: html.slice(start, at) + deps + html.slice(at, end).replace(quotedJson, requote) }];
  });
  const at = html.indexOf("</head>");
  const text = [...preloaded].map((url) => `<link rel="modulepreload" href="${url}">`).join("");
  return at < 0 ? edits : [...edits, { start: at, end: at, text }];
}

/** Throws when a prop is anything but JSON, such as a Date: pages do not carry the code that would read it. */
function checkProps(island: string, props: string): void {
  const isTuple = (value: unknown): value is [number, unknown] => Array.isArray(value) && typeof value[0] === "number";
  const walk = (value: unknown, key: string): void => {
    if (!isTuple(value)) return;
    const [type, inner] = value;
    if (type > 1) throw new Error(`the island ${island} has a prop that is no JSON: ${key}`);
    if (type === 1 && Array.isArray(inner)) for (const one of inner) walk(one, key);
    if (type === 0 && typeof inner === "object" && inner) for (const [name, one] of Object.entries(inner)) walk(one, name);
  };
  const json = props.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  for (const [name, one] of Object.entries(JSON.parse(json.replaceAll("&amp;", "&")))) walk(one, name);
}

const isReact = /\/react\./;

/** What holds JSON, which is full of double quotes. */
const quotedJson = / (props|opts)="([^"]*)"/g;

function requote(_: string, name: string, value: string): string {
  return ` ${name}='${value.replaceAll("'", "&#39;").replaceAll("&quot;", '"')}'`;
}
