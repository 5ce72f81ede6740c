import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { posterUrl } from "../lib/poster.ts";
import { drawAll } from "./poster/poster.ts";

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
