import type { APIRoute } from "astro";
import { type Locale, locales } from "../../../i18n/locale.ts";
import { getSearchEntries } from "../../layouts/search.ts";
import { createIndex } from "../../lib/search.ts";

export const getStaticPaths = () => locales.map((locale) => ({ params: { locale }, props: { locale } }));

/** Serves the index of all texts in a language, which the build and the development server split into files. */
export const GET: APIRoute<{ locale: Locale }> = async ({ props: { locale } }) =>
  Response.json(createIndex(await getSearchEntries(locale)));
