import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { type Locale, locales } from "../../../i18n/locale.ts";
import { posterSize, posterUrl } from "../../lib/poster.ts";
import { motifs } from "./motifs.ts";
import { type Sheet, sheets } from "./sheets.ts";
import { inks, random } from "./svg.ts";

/** A sheet as SVG. The same name, spec and language give the same bytes, on every machine. */
export function poster(name: string, sheet: Sheet, locale: Locale): string {
  const [width, height] = posterSize(name);
  return motifs[sheet.motif]({
    width,
    height,
    rand: random((sheet.seed ?? name) + sheet.motif),
    ink: { ...inks, ...sheet.palette },
    words: sheet.words?.[locale],
    chinese: locale === "zh-CN",
    form: sheet.form ?? 0,
  });
}

/** Every sheet in every language. */
export function drawAll(): { name: string; locale: Locale; svg: string }[] {
  return Object.entries(sheets).flatMap(([name, sheet]) =>
    locales.map((locale) => ({ name, locale, svg: poster(name, sheet, locale) })),
  );
}

/** Writes every poster, in both languages, to its `posterUrl`; in development serves them from memory. */
export function posters(): AstroIntegration {
  const drawPosters = () => new Map(drawAll().map(({ name, locale, svg }) => [posterUrl(name, locale), svg]));
  return {
    name: "posters",
    hooks: {
      "astro:server:setup": ({ server }) => {
        const posters = drawPosters();
        server.middlewares.use((request, response, next) => {
          const svg = posters.get((request.url ?? "").replace(/\?.*$/, ""));
          if (svg === undefined) return next();
          response.setHeader("Content-Type", "image/svg+xml");
          response.end(svg);
        });
      },
      "astro:build:done": async ({ dir, logger }) => {
        const began = performance.now();
        const posters = drawPosters();
        for (const [url, svg] of posters) {
          const file = join(fileURLToPath(dir), url);
          await mkdir(dirname(file), { recursive: true });
          await writeFile(file, svg);
        }
        logger.info(`${posters.size} posters in ${Math.round(performance.now() - began)} ms`);
      },
    },
  };
}
