import type { APIRoute } from "astro";
import { type Locale, locales } from "#i18n/locale.ts";
import { getSite } from "#src/content/site.ts";
import { grounds } from "#src/lib/accent.ts";
import { canonicalLink } from "#src/routes.ts";

export const getStaticPaths = () => locales.map((locale) => ({ params: { locale }, props: { locale } }));

const icons = [
  { src: "/icons/192.png", sizes: "192x192" },
  { src: "/icons/512.png", sizes: "512x512" },
  { src: "/icons/maskable.png", sizes: "512x512", purpose: "maskable" },
];

/** Serves what a home screen needs of the shop, in a language. */
export const GET: APIRoute<{ locale: Locale }> = async ({ props: { locale } }) => {
  const { title, brand, description, accent } = await getSite(locale);
  return Response.json({
    lang: locale,
    name: title,
    short_name: brand,
    description,
    start_url: canonicalLink(locale, "home"),
    scope: "/",
    display: "standalone",
    theme_color: accent.light,
    background_color: grounds.light,
    icons: icons.map((icon) => ({ type: "image/png", ...icon })),
  });
};
