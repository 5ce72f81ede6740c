import { Chunks } from "#src/build/chunks.ts";
import { type Parts, readPage } from "#src/build/page.ts";
import { UsedNames } from "#src/build/purge.ts";

/** Finishes one page by itself, as the build finishes those of a route. Its scripts count as recorded unless `parts` says otherwise. */
export async function finishPage(html: string, parts: Partial<Parts> = {}): Promise<{ html: string; policy: string }> {
  const scripts = new Set(Array.from(html.matchAll(/<script[^>]*>([^<]*)<\/script>/g), ([, text = ""]) => text));
  const draft = readPage(html, {
    chunks: new Chunks(),
    origins: { api: "", pictures: [], statistics: null },
    sheets: new Map(),
    larger: new Set(),
    scripts,
    ...parts,
  });
  const used = new UsedNames();
  used.addTags(draft.tags);
  for (const code of draft.code) used.addCode(code);
  return draft.finish(html, draft.css && (await used.purge(draft.css)));
}
