// Registers the renderer of islands and the directive `client:intent`, and rewrites the `<astro-island>` tags of built pages: shared script, preloads and ids.

import { createHash } from "node:crypto";
import react from "@astrojs/react";
import type { AstroIntegration } from "astro";
import type { ClientGraph } from "./chunks.ts";
import type { Edit, Tag } from "./html.ts";

declare module "astro" {
  interface AstroClientDirectives {
    /** Hydrates on the first interaction (pointer, key, focus) or `hydrate-request` event, for members at the latest when the browser is idle. With `"now"`, hydrates for everyone after the LCP. */
    "client:intent"?: true | "now";
  }
}

/** Returns the integration of React with browser code of the project's own: its hydration and `client:intent`. */
export function reactIslands(): AstroIntegration {
  const { name, hooks } = react();
  const toPath = (file: string) => new URL(`../client/${file}`, import.meta.url).pathname;
  return {
    name,
    hooks: {
      ...hooks,
      "astro:config:setup": (options) => {
        options.addClientDirective({ name: "intent", entrypoint: toPath("intent-directive.ts") });
        const addRenderer: typeof options.addRenderer = (renderer) =>
          options.addRenderer({ ...renderer, clientEntrypoint: toPath("react-client.ts") });
        return hooks["astro:config:setup"]?.({ ...options, addRenderer });
      },
    },
  };
}

/** A script file that several pages share. */
export interface Shared {
  file: string;
  text: string;
}

/** Moves the inline scripts that start islands into a file, which browsers cache. Public pages with a form keep them inline, because islands must record input as soon as a visitor can use the form. */
export function shareIslandScript(tags: readonly Tag[]): { shared: Shared | null; moved: Edit[] } {
  const first = tags.findIndex(({ name }) => name === "astro-island");
  const isMemberPage = tags.some(({ name, attributes }) => name === "html" && attributes.has("data-session"));
  // The search form of the header has no island.
  const hasForm = tags.some(({ name, attributes }) => name === "form" && attributes.get("role") !== "search");
  // Astro inserts the scripts before the first island.
  const start = tags.findLastIndex(({ name }, index) => index < first && name !== "script") + 1;
  const scripts = tags.slice(start, first).filter(({ attributes, text }) => text && attributes.size === 0);
  if (first < 0 || (hasForm && !isMemberPage) || scripts.length === 0) return { shared: null, moved: [] };
  const text = scripts.map((script) => script.text).join(";\n");
  const file = `_astro/islands.${createHash("sha256").update(text).digest("base64url").slice(0, 8)}.js`;
  const moved = scripts.map(({ start, end }, index) => ({
    start,
    end,
    text: index === 0 ? `<script async src="/${file}"></script>` : "",
  }));
  return { shared: { file, text }, moved };
}

/**
 * Preloads the chunks of islands in parallel: those of `now` islands from `<head>` (except React, which waits for the first paint), those of
 * others when they hydrate. The priority is low, because the responses of early calls (src/client/head) are drawn before React runs.
 */
export function islandEdits(tags: readonly Tag[], graph: ClientGraph): Edit[] {
  const preloaded = new Set<string>();
  const islands = tags.filter(({ name }) => name === "astro-island");
  const edits = islands.flatMap(({ attributes, start }) => {
    const own = ["component-url", "renderer-url", "before-hydration-url"].flatMap((key) => attributes.get(key) ?? []);
    const dependencies = graph.dependencies(own);
    const { value } = JSON.parse(attributes.get("opts") ?? "{}");
    if (value === "now") for (const url of [...own, ...dependencies]) if (!isReact.test(url)) preloaded.add(url);
    const later = dependencies.filter((url) => !preloaded.has(url));
    const at = start + "<astro-island".length;
    return later.length > 0 ? [{ start: at, end: at, text: ` data-deps="${later.join(" ")}"` }] : [];
  });
  const at = tags[tags.findIndex(({ name }) => name === "body") - 1]?.end ?? 0;
  const text = [...preloaded].map((url) => `<link rel="modulepreload" fetchpriority="low" href="${url}">`).join("");
  return [...edits, { start: at, end: at, text }];
}

const isReact = /\/react\./;

/** Renumbers the React id prefixes of islands by their position: Astro renders the islands of a page concurrently, so that prefixes differ between builds. */
export function numberIslands(html: string, tags: readonly Tag[]): Edit[] {
  const islands = tags.filter(({ name, attributes }) => name === "astro-island" && attributes.has("prefix"));
  const numbered = islands.map(({ attributes }, index) => ({ from: attributes.get("prefix") ?? "", to: `r${index}` }));
  return tags.flatMap(({ attributes, ranges }) =>
    [...attributes].flatMap(([name, value]) => {
      const range = ranges[name];
      const island = numbered.find(({ from }) => (name === "prefix" ? value === from : value.includes(`_${from}R_`)));
      if (!range || !island) return [];
      const { startOffset: start, endOffset: end } = range;
      const text = html.slice(start, end);
      const { from, to } = island;
      return [{ start, end, text: name === "prefix" ? `prefix="${to}"` : text.replaceAll(`_${from}R_`, `_${to}R_`) }];
    }),
  );
}
