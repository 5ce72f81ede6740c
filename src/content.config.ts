import { defineCollection } from "astro:content";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { glob, type Loader } from "astro/loaders";
import { z } from "astro/zod";
import { sheets } from "./build/poster/sheets.ts";
import { findMissingEvents, findStrayFiles } from "./content/files.ts";
import { findActiveMarkup } from "./content/markup.ts";
import { aboutFacts, aboutSchema, createEventSchema, createNewsSchema, eventFacts, newsFacts } from "./content/schema.ts";
import { type ContentEntry, findDifferences } from "./content/translations.ts";

type Check<Data> = (root: string, entries: ContentEntry<Data>[]) => string[];

/** A collection with one folder per entry and one file per language: `event/entrance/zh-CN.md` is `entrance/zh-CN`. Faults between files fail the build too. */
function markdown<Schema extends z.ZodType>(
  collection: string,
  schema: Schema,
  facts: Record<string, (data: z.infer<Schema>) => unknown>,
  check: Check<z.infer<Schema>> = () => [],
) {
  const files = glob({
    base: `src/content/${collection}`,
    pattern: "*/{zh-CN,en-US}.md",
    generateId: ({ entry }) => entry.replace(/\.md$/, ""),
  });
  // Every file has passed the schema by now.
  const parsed = z.custom<z.infer<Schema>>();
  const loader: Loader = {
    name: files.name,
    load: async (context) => {
      await files.load(context);
      const root = fileURLToPath(context.config.root);
      const entries = context.store.values().map(({ id, data }) => ({ id, data: parsed.parse(data) }));
      const faults = [
        ...findStrayFiles(root, collection),
        ...context.store
          .values()
          .flatMap(({ filePath }) => (filePath ? findActiveMarkup(filePath, readFileSync(join(root, filePath), "utf8")) : [])),
        ...findDifferences(collection, entries, facts),
        ...check(root, entries),
      ];
      if (faults.length > 0) throw new Error(`\n${faults.join("\n")}`);
    },
  };
  return defineCollection({ loader, schema });
}

const posters = Object.keys(sheets);

export const collections = {
  event: markdown("event", createEventSchema(posters), eventFacts),
  news: markdown("news", createNewsSchema(posters), newsFacts, findMissingEvents),
  about: markdown("about", aboutSchema, aboutFacts),
};
