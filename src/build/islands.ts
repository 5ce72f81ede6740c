import { createHash } from "node:crypto";
import type { AstroIntegration } from "astro";
import type { Plugin } from "vite";
import type { Chunks } from "./chunks.ts";
import type { Edit, Tag } from "./html.ts";
import { minify } from "./scripts.ts";

declare module "astro" {
  interface AstroClientDirectives {
    /** Hydrates on the first intent (pointer, key, focus) or a `hydrate-request` event, or at once when a token is stored; `"now"`: in any case, once the page has been painted. */
    "client:intent"?: true | "now";
  }
}

/** Adds the directive `client:intent`: an island hydrates on the first interaction, which is then replayed. */
export function intent(): AstroIntegration {
  return {
    name: "intent",
    hooks: {
      "astro:config:setup": ({ addClientDirective }) => {
        addClientDirective({ name: "intent", entrypoint: new URL("./intent-directive.ts", import.meta.url).pathname });
      },
    },
  };
}

/** Parts of Astro's renderer for React, each with what stands in its place. */
const changes: readonly [part: string, replacement: string][] = [
  // Every function is a component of React: Astro would draw each one, such as an icon, once to find out, and once more.
  [
    'const renderer = {\n  name: "@astrojs/react",\n  check,',
    'const renderer = {\n  name: "@astrojs/react",\n  check: async (Component) => typeof Component === "function" || check(Component),',
  ],
  // A stream costs more than a small component.
  [
    "if (opts.experimentalDisableStreaming) {\n    html = ReactDOM.renderToString(vnode);",
    "if (true) {\n    html = ReactDOM.renderToString(vnode, renderOptions);",
  ],
];

/** Makes Astro draw each component of React once, and in one step. */
export function drawOnce(): Plugin {
  return {
    name: "draw-once",
    apply: "build",
    transform: {
      filter: { id: /@astrojs\/react\/dist\/server\.js$/ },
      handler(code) {
        if (!changes.every(([part]) => code.includes(part)))
          throw new Error("the renderer of @astrojs/react is not what it was: src/build/islands.ts changes it");
        return { code: changes.reduce((text, [part, replacement]) => text.replace(part, replacement), code), map: null };
      },
    },
  };
}

/** A script file that several pages share. */
export interface Shared {
  file: string;
  text: string;
}

const startsIslands = /astro-island|self\.Astro\b/;

/** Remembers the last button that was pressed in an island before the runtime came. */
const pressRecorder = `addEventListener("click",self.recordPress=e=>{recordPress.button=e.target.closest("astro-island [type=button]")??recordPress.button},!0)`;

/** Moves Astro's island runtime into a cacheable file, and returns a recorder of presses for the script of the head. Public pages with a form keep it inline: what is chosen there is sent with the form. */
export function shareIslandScript(tags: Tag[]): { shared: Shared | null; moved: Edit[]; recorder: string } {
  const isMemberPage = tags.some(({ name, attributes }) => name === "html" && attributes.has("data-session"));
  const scripts = tags.filter(
    ({ name, attributes, text }) => name === "script" && attributes.size === 0 && startsIslands.test(text ?? ""),
  );
  // The search of the header is no such form.
  const hasForm = tags.some(({ name, attributes }) => name === "form" && attributes.get("role") !== "search");
  if ((hasForm && !isMemberPage) || scripts.length === 0) return { shared: null, moved: [], recorder: "" };
  const text = minify(scripts.map((script) => script.text).join(";\n"));
  const file = `_astro/islands.${createHash("sha256").update(text).digest("base64url").slice(0, 8)}.js`;
  const moved = scripts.map(({ start, end }, index) => ({
    start,
    end,
    text: index === 0 ? `<script async src="/${file}"></script>` : "",
  }));
  return { shared: { file, text }, moved, recorder: pressRecorder };
}

/** Preloads an island's chunks in parallel: eager islands from `<head>` (React excluded, it waits for first paint), the others when they hydrate. */
export function islandEdits(html: string, tags: Tag[], chunks: Chunks): Edit[] {
  // The island runtime comes without them.
  if (html.includes("<astro-slot")) throw new Error("an island has children: it takes its content from props");
  const preloaded = new Set<string>();
  const edits = tags.flatMap(({ name, attributes, start, end }) => {
    if (name !== "astro-island") return [];
    const props = toJson(attributes.get("component-export") ?? "", attributes.get("props") ?? "{}");
    const own = ["component-url", "renderer-url", "before-hydration-url"].flatMap((key) => attributes.get(key) ?? []);
    const dependencies = chunks.dependencies(own);
    const atOnce = attributes.get("opts")?.includes(`"value":"now"`) ?? false;
    if (atOnce) for (const url of [...own, ...dependencies]) if (!isReact.test(url)) preloaded.add(url);
    const later = dependencies.filter((url) => !preloaded.has(url));
    const at = start + "<astro-island".length;
    const deps = later.length > 0 ? ` data-deps="${later.join(" ")}"` : "";
    return [
      {
        start,
        end,
        text:
          html.slice(start, at) +
          deps +
          html
            .slice(at, end)
            .replace(unread, "")
            .replace(optionName, "$1")
            .replace(quotedJson, requote)
            .replace(/ props='[^']*'/, () => ` props='${escapeSingle(props)}'`),
      },
    ];
  });
  const ends = Array.from(html.matchAll(/<!--astro:end-->/g), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
    text: "",
  }));
  const at = html.indexOf("</head>");
  const text = [...preloaded].map((url) => `<link rel="modulepreload" href="${url}">`).join("");
  return at < 0 ? [...edits, ...ends] : [...edits, ...ends, { start: at, end: at, text }];
}

/** Returns props as JSON, of Astro's form with a type beside each value. Throws when one is not JSON, such as a Date: pages do not carry the code that revives it. */
function toJson(island: string, props: string): string {
  const revive = (value: unknown, key: string): unknown => {
    const [type, inner]: unknown[] = Array.isArray(value) ? value : [];
    if (type === 1 && Array.isArray(inner)) return inner.map((item) => revive(item, key));
    if (type !== 0) throw new Error(`the island ${island} has a prop that is not JSON: ${key}`);
    return typeof inner === "object" && inner ? reviveAll(inner) : inner;
  };
  const reviveAll = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, revive(value, key)]));
  return JSON.stringify(reviveAll(JSON.parse(props)));
}

const isReact = /\/react\./;

/** Nothing reads them; the name differs on each island. */
const unread = / (uid="[^"]*"|await-children(="")?)/g;

/** The name of the component, which only messages of the development server use. */
const optionName = /( opts="\{)&quot;name&quot;:&quot;\w+&quot;,/;

/** Attributes with JSON, which is shorter in single quotes. */
const quotedJson = / (props|opts)="([^"]*)"/g;

function requote(_: string, name: string, value: string): string {
  return ` ${name}='${value.replaceAll("'", "&#39;").replaceAll("&quot;", '"')}'`;
}

const escapeSingle = (json: string) => json.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("'", "&#39;");
