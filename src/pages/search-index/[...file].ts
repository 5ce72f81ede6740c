import type { APIRoute } from "astro";
import { locales } from "#i18n/locale.ts";
import { getSearchIndex } from "#src/layouts/search.ts";

export async function getStaticPaths() {
  const indexes = await Promise.all(locales.map(getSearchIndex));
  return indexes.flatMap(({ files }) =>
    Array.from(files, ([path, text]) => ({ params: { file: path.replace("/search-index/", "") }, props: { text } })),
  );
}

/** Serves the terms and results of all indexes. */
export const GET: APIRoute<{ text: string }> = ({ props: { text } }) => new Response(text);
