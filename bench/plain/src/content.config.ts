import { defineCollection } from "astro:content";
import { join } from "node:path";
import { glob } from "astro/loaders";

const base = join(process.env.CONTENT_DIR ?? "", "news");
const generateId = ({ entry }: { entry: string }) => entry.replace("/index.", "/").replace(/\.md$/, "");

export const collections = {
  news: defineCollection({ loader: glob({ base, pattern: "*/index.*.md", generateId }) }),
};
