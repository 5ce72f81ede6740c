import { defineCollection } from "astro:content";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { glob, type Loader } from "astro/loaders";
import { z } from "astro/zod";
import { lostEvents, strayFiles } from "./content/files.ts";
import { runningMarkup } from "./content/markup.ts";
import { aboutFacts, aboutSchema, eventFacts, eventSchema, newsFacts, newsSchema } from "./content/schema.ts";
import { disagreements, type Filed } from "./content/translations.ts";

type Check<Data> = (root: string, entries: Filed<Data>[]) => string[];

/** One folder per event or news item, one file per language: `event/entrance/zh-CN.md` is `entrance/zh-CN`. What is wrong between files fails the build, as what is wrong within one does. */
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
  // By then every file has passed the schema.
  const checked = z.custom<z.infer<Schema>>();
  const loader: Loader = {
    name: files.name,
    load: async (context) => {
      await files.load(context);
      const root = fileURLToPath(context.config.root);
      const entries = context.store.values().map(({ id, data }) => ({ id, data: checked.parse(data) }));
      const faults = [
        ...strayFiles(root, collection),
        ...context.store
          .values()
          .flatMap(({ filePath }) => (filePath ? runningMarkup(filePath, readFileSync(join(root, filePath), "utf8")) : [])),
        ...disagreements(collection, entries, facts),
        ...check(root, entries),
      ];
      if (faults.length > 0) throw new Error(`\n${faults.join("\n")}`);
    },
  };
  return defineCollection({ loader, schema });
}

export const collections = {
  event: markdown("event", eventSchema, eventFacts),
  news: markdown("news", newsSchema, newsFacts, lostEvents),
  about: markdown("about", aboutSchema, aboutFacts),
};
