import { ClientGraph } from "#src/build/chunks.ts";
import { UsedNames } from "#src/build/purge-css.ts";
import { type Parts, prepareRewrite } from "#src/build/rewrite-page.ts";

/** Finishes one page by itself, as the build finishes those of a route. Its scripts count as recorded unless `parts` says otherwise. */
export async function finishPage(html: string, parts: Partial<Parts> = {}): Promise<{ html: string; policy: string }> {
  const scripts = new Set(Array.from(html.matchAll(/<script[^>]*>([^<]*)<\/script>/g), ([, text = ""]) => text));
  const pending = prepareRewrite(html, {
    graph: new ClientGraph(),
    origins: { api: "", pictures: [], statistics: null },
    sheets: new Map(),
    largerAsAvif: new Set(),
    scripts,
    ...parts,
  });
  const used = new UsedNames();
  used.addTags(pending.tags);
  for (const code of pending.code) used.addCode(code);
  return pending.finish(html, pending.css && (await used.purge(pending.css)));
}
