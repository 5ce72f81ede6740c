import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { z } from "astro/zod";
import { root } from "./sources.ts";

// The YAML parser that Astro uses for front matter.
const fromAstro = createRequire(createRequire(import.meta.url).resolve("astro/package.json"));
const yaml: { load(text: string): unknown } = fromAstro("js-yaml");

export interface ContentText<Data> {
  /** `entrance/zh-CN` */
  id: string;
  folder: string;
  locale: string;
  path: string;
  data: Data;
  body: string;
}

/** Splits a Markdown file into front matter and body. */
export function parseFrontMatter(markdown: string): { matter: unknown; body: string } {
  const [, matter = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(markdown) ?? [];
  return { matter: yaml.load(matter), body };
}

/** Returns every text of a collection, parsed by its schema. */
export function readTexts<Schema extends z.ZodType>(collection: string, schema: Schema): ContentText<z.infer<Schema>>[] {
  const folder = join(root, "src/content", collection);
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return files
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => {
      const { matter, body } = parseFrontMatter(readFileSync(join(folder, name), "utf8"));
      const [entryFolder = "", file = ""] = name.split(/[\\/]/);
      const locale = file.replace(/\.md$/, "");
      const data = schema.parse(matter);
      return {
        id: `${entryFolder}/${locale}`,
        folder: entryFolder,
        locale,
        path: `src/content/${collection}/${entryFolder}/${file}`,
        data,
        body,
      };
    });
}
