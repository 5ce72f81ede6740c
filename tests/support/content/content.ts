import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { z } from "astro/zod";
import { root } from "../rules/sources.ts";

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

const hour = 3600_000;

/** `2027-03-20T19:30+08:00`. */
const inChina = (time: number) => `${new Date(time + 8 * hour).toISOString().slice(0, 16)}+08:00`;

/** Returns the Chinese Markdown file of a show that starts tomorrow and belongs to the activity `entrance`. */
export function eventFile(): string {
  const starts = Date.now() + 24 * hour;
  return `---
title: 入口
summary: 明天的一场。
starts_at: ${inChina(starts)}
doors_at: ${inChina(starts - hour)}
ends_at: ${inChina(starts + 2 * hour)}
venue: 西岸一号仓
city: 上海
poster: e-entrance
line_up: [白噪合唱团]
terms: 每位会员订一个位置。
activity: entrance
---

一段话。
`;
}

/** Markdown file of a news item about the show in the folder `entrance`, for either language. */
export const newsFile = `---
title: "1"
summary: "2"
date: 2026-01-01
kind: live
poster: n-console
event: entrance
---

3
`;
