import type { APIRoute } from "astro";
import { defaultLocale } from "#i18n/locale.ts";
import { getSite } from "#src/content/site.ts";

/** Serves the shop's mark as the icon of its pages, in its colour; a shop without a mark has a plain square. */
export const GET: APIRoute = async () => {
  const { mark, accent } = await getSite(defaultLocale);
  const plain =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="currentColor" d="M0 0h32v32H0z"/></svg>';
  const svg = (mark ?? plain).replaceAll("currentColor", accent.light);
  return new Response(svg, { headers: { "content-type": "image/svg+xml" } });
};
