import type { APIRoute } from "astro";
import { type Locale, locales } from "#i18n/locale.ts";
import { getSearchIndex } from "#src/layouts/search.ts";

export const getStaticPaths = () => locales.map((locale) => ({ params: { locale }, props: { locale } }));

/** Serves the manifest of a language's index. */
export const GET: APIRoute<{ locale: Locale }> = async ({ props: { locale } }) =>
  Response.json((await getSearchIndex(locale)).manifest);
