import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { compile } from "@tailwindcss/node";
import { generate, parse, walk } from "css-tree";
import type { Plugin } from "vite";
import { unescapeName } from "./purge/selectors.ts";

/** Matches what may be a class name in a module's strings. */
const token = /(?<=[\s"'`])[^\s"'`\\]+(?=[\s"'`])/g;
/** Utilities of one plain word stay as they are: other strings of a module may be that word. */
const isCompound = /[-:[]/;

/** Short names of Tailwind's utilities on the built site, for its modules and its style sheets. In full they would be 9 % of a page. */
export class ClassNames {
  readonly #names = new Map<string, string>();

  /** Names the utilities in the sources of a site: the most frequent with one letter, the others in the order of the style sheet. */
  static async read(src: string): Promise<ClassNames> {
    const files = (await readdir(src, { recursive: true })).filter((file) => /\.(astro|tsx)$/.test(file));
    const counts = new Map<string, number>();
    for (const file of files) {
      for (const [name] of (await readFile(join(src, file), "utf8")).matchAll(token)) {
        if (isCompound.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    const sheet = join(src, "styles/site.css");
    // Without our own sheets, every class is a utility.
    const css = (await readFile(sheet, "utf8")).replace(/@import "\.\/[^;]+;/g, "");
    const tailwind = await compile(css, { base: dirname(sheet), onDependency: () => undefined });
    const utilities = findClasses(tailwind.build([...counts.keys()]));
    const found = [...utilities].filter((name) => counts.has(name));
    const frequent = found.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).slice(0, first.length);
    const names = new ClassNames();
    // Names that stand side by side in the style sheet are alike, so that they compress well.
    for (const name of new Set([...frequent, ...found])) names.#names.set(name, toShortName(names.#names.size));
    return names;
  }

  /** Shortens the names in the modules of the site. */
  plugin(): Plugin {
    return {
      name: "short-class-names",
      apply: "build",
      enforce: "post",
      transform: {
        filter: { id: /\/src\/[^?]+\.(astro|tsx)$/ },
        // Astro escapes `[&>svg]:w-4` in its templates.
        handler: (code) => ({
          code: code.replace(token, (name) => this.#names.get(name.replaceAll("&amp;", "&").replaceAll("&gt;", ">")) ?? name),
          map: null,
        }),
      },
    };
  }

  /** Shortens the names in a style sheet. */
  shorten(css: string): string {
    const tree = parse(css);
    walk(tree, (node) => {
      if (node.type === "ClassSelector") node.name = this.#names.get(unescapeName(node.name)) ?? node.name;
    });
    return generate(tree);
  }
}

/** Returns the utilities of Tailwind's style sheet, without the classes of our own that a utility names, as `in-[.own]:mt-4` does. */
function findClasses(css: string): Set<string> {
  const names = new Set<string>();
  walk(parse(css), {
    visit: "Rule",
    enter({ prelude }) {
      const found: string[] = [];
      walk(prelude, (node) => {
        if (node.type === "ClassSelector") found.push(unescapeName(node.name));
      });
      for (const name of found) if (!found.some((other) => other.includes(`.${name}`))) names.add(name);
    },
  });
  return names;
}

const first = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const next = `${first.toLowerCase()}${first}0123456789`;

/** Returns a name that starts with a capital, which no class of our own does. */
function toShortName(index: number): string {
  let name = first[index % first.length] ?? "";
  for (let rest = Math.floor(index / first.length); rest > 0; rest = Math.floor((rest - 1) / next.length)) {
    name += next[(rest - 1) % next.length];
  }
  return name;
}
