import { readFileSync } from "node:fs";
// Not from Vite, which would load all of itself into every thread.
import { minifySync } from "rolldown/utils";
import type { Plugin } from "vite";
import type { Edit, Tag } from "./html.ts";

const minified = new Map<string, string>();

/** Minifies an inline script. */
export function minify(script: string): string {
  const cached = minified.get(script);
  if (cached !== undefined) return cached;
  const { code, errors } = minifySync("inline.js", script, { module: false, compress: { target: "es2022" }, mangle: true });
  if (errors[0]) throw new Error(`an inline script has a syntax error: ${errors[0].message}`);
  minified.set(script, code.trim());
  return code.trim();
}

/** Minifies inline scripts and merges adjacent ones, as each costs a hash, and `more` with the first. */
export function scriptEdits(tags: Tag[], more = ""): Edit[] {
  const edits: Edit[] = [];
  let texts: string[] = [];
  for (const { name, attributes, text, start, end } of tags) {
    if (name !== "script" || attributes.size > 0 || !text) continue;
    const before = edits.at(-1);
    const follows = before?.end === start;
    texts = follows ? [...texts, text] : edits.length === 0 && more ? [more, text] : [text];
    const edit = { start: follows ? before.start : start, end, text: `<script>${minify(texts.join(";\n"))}</script>` };
    edits.splice(follows ? -1 : edits.length, 1, edit);
  }
  return edits;
}

/** Lowers the priority of module scripts, below pictures and fonts. */
export function deferModules(tags: Tag[]): Edit[] {
  return tags
    .filter(({ name, attributes }) => name === "script" && attributes.get("type") === "module" && attributes.has("src"))
    .map(({ start }) => ({ start: start + "<script".length, end: start + "<script".length, text: ' fetchpriority="low"' }));
}

/** Parts of Astro's island runtime that no page of ours needs, each with what stands in its place. */
const unneeded: readonly [part: RegExp, replacement: string][] = [
  // Astro's own form of props, of which `islandEdits` makes JSON.
  [/const propTypes = [\s\S]*?(?=class AstroIsland)/, ""],
  // Export names with dots.
  [/^const FORBIDDEN_COMPONENT_EXPORT_KEYS = .*$/m, ""],
  [
    /const componentExport = [\s\S]*?(?= +this\.hydrator = hydrator;)/,
    'this.Component = componentModule[this.getAttribute("component-export")];\n',
  ],
  // Islands in islands.
  [/const parentSsrIsland = [\s\S]*?return;\n +\}\n/, ""],
  // Slots, which `islandEdits` rejects, and the report of props that are no JSON.
  [
    /const slotted = [\s\S]*?(?= +let hydrationTimeStart;)/,
    'const slots = {};\nconst props = JSON.parse(this.getAttribute("props"));\n',
  ],
  // A second import a second later, under another URL: the page's own script handles a missing chunk.
  [/getRetryImportUrl\(url\) \{[\s\S]*?\n {4}\}\n/, ""],
  [/async importWithRetry\(url\) \{[\s\S]*?\n {4}\}\n/, ""],
  [/this\.importWithRetry\(/g, "import("],
  // Islands without a renderer, and props that change.
  [/rendererUrl \? (import\(rendererUrl\)) : [\s\S]*?\}\)(?=\n +\]\))/, "$1"],
  [/static observedAttributes = .*$/m, ""],
  [/attributeChangedCallback\(\) \{[\s\S]*?\n {4}\}\n/, ""],
  // Waiting for the end of the island: it listens for presses at once, and only hydration waits, for the end of the page.
  [/connectedCallback\(\) \{\n +if \(!this[\s\S]*?async childrenC(?=onnectedCallback)/, "async c"],
  [
    /(?<=if \(!this\.hydrator\) return;\n)/,
    'if (document.readyState === "loading") await new Promise((done) => (document.onreadystatechange = done));\n',
  ],
  // The page's own script tells people of errors.
  [
    /const componentUrl = [\s\S]*?(?=\n {4}\}\n {4}async start)/,
    'this.dispatchEvent(new CustomEvent("astro:hydration-error", { cancelable: true, bubbles: true, detail: { error } }));',
  ],
  // Scripts before hydration, and Astro's own client router.
  [/let beforeHydrationUrl = [\s\S]*?(?= +this\.start\(\);)/, ""],
  [/disconnectedCallback\(\) \{[\s\S]*?\n {4}\}\n/, ""],
  [/unmount = \(\) => \{[\s\S]*?\n {4}\};\n/, ""],
  // Names of its own, which a minifier leaves.
  [/\bComponent\b/g, "c"],
  [/\bhydrator\b/g, "h"],
  [/\bhandleHydrationError\b/g, "e"],
];

/** Rebuilds Astro's island runtime from its source for current browsers, without what no page needs: a third smaller. Throws when Astro's source has changed. */
export function islandRuntime(): Plugin {
  const prebuilt = /astro-island\.prebuilt\.js$/;
  return {
    name: "island-runtime",
    // The development server has Astro's own form of props.
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: prebuilt },
      handler(id) {
        const source = readFileSync(id.replace(prebuilt, "astro-island.js"), "utf8");
        const reducedSource = unneeded.reduce((text, [part, replacement]) => {
          if (text.search(part) < 0) throw new Error(`Astro's island runtime has changed: ${part} is not in it`);
          return text.replace(part, replacement);
        }, source);
        return `export default ${JSON.stringify(minify(reducedSource.replaceAll("process.env.NODE_ENV", '"production"')))}`;
      },
    },
  };
}
