import type { APIRoute, GetStaticPaths } from "astro";
import sharp from "sharp";
import { defaultLocale } from "#i18n/locale.ts";
import { getSite } from "#src/content/site.ts";

/** Icons for home screens: their side in pixels, and the share of it that the mark takes. A phone may cut a maskable one to a circle. */
const icons = {
  "apple-touch-icon": { side: 180, share: 0.6 },
  "icons/192": { side: 192, share: 0.6 },
  "icons/512": { side: 512, share: 0.6 },
  "icons/maskable": { side: 512, share: 0.46 },
} as const;

type Icon = keyof typeof icons;

export const getStaticPaths = (() =>
  Object.entries(icons).map(([icon, props]) => ({ params: { icon }, props }))) satisfies GetStaticPaths;

/** Serves the shop's mark in white on its colour; a shop without a mark has a plain square. */
export const GET: APIRoute<(typeof icons)[Icon]> = async ({ props: { side, share } }) => {
  const { mark, accent } = await getSite(defaultLocale);
  const ground = sharp({ create: { width: side, height: side, channels: 3, background: accent.light } });
  const inner = Math.round(side * share);
  const drawn =
    mark &&
    (await sharp(Buffer.from(mark.replaceAll("currentColor", "#fff")), { density: 1200 })
      .resize(inner, inner, { fit: "contain", background: "#0000" })
      .png()
      .toBuffer());
  const png = await ground
    .composite(drawn ? [{ input: drawn }] : [])
    .png({ palette: true })
    .toBuffer();
  return new Response(new Uint8Array(png), { headers: { "content-type": "image/png" } });
};
