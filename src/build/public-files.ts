// Astro integration: adds the files of a shop's own `public/` to those of every shop, after a build and in development.

import { cpSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { getMimeType } from "hono/utils/mime";
import { decodeUrl } from "#src/content/decode-url.ts";
import { listPublicFiles, publicFolder } from "#src/content/public-files.ts";
import { buildRecord } from "#src/lib/build-record.ts";

/** Must precede integrations that read the output. `astro` copies and serves the files of every shop itself. */
export function publicFiles(): AstroIntegration {
  let every = "";
  let own = "";
  return {
    name: "public-files",
    hooks: {
      "astro:config:done": ({ config }) => {
        every = fileURLToPath(config.publicDir);
        own = join(process.env.CONTENT_DIR || fileURLToPath(new URL("content", config.srcDir)), publicFolder);
      },
      "astro:server:setup": ({ server }) => {
        server.middlewares.use(async ({ url = "" }, response, next) => {
          const path = decodeUrl(url.split(/[?#]/)[0] ?? "").slice(1);
          if (!listPublicFiles(own).includes(path)) return next();
          response.setHeader("Content-Type", getMimeType(path) ?? "application/octet-stream");
          response.end(await readFile(join(own, path)));
        });
      },
      "astro:build:done": ({ dir }) => {
        const ownFiles = listPublicFiles(own);
        for (const path of ownFiles) cpSync(join(own, path), join(fileURLToPath(dir), path));
        for (const path of [...listPublicFiles(every), ...ownFiles]) buildRecord.publicFiles.add(path);
      },
    },
  };
}
