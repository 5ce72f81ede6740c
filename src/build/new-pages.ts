import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";

/** In development, restarts Astro when a page is added or removed, as its prefixed routes are injected at start. */
export function newPages(): AstroIntegration {
  let pages = "";
  return {
    name: "new-pages",
    hooks: {
      "astro:config:setup": ({ config, addWatchFile }) => {
        pages = fileURLToPath(new URL("pages/", config.srcDir));
        addWatchFile(pages);
      },
      "astro:server:setup": ({ server: { watcher } }) => {
        for (const event of ["add", "unlink"] as const) {
          watcher.on(event, (path) => {
            if (path.startsWith(pages) && path.endsWith(".astro")) watcher.emit("change", pages);
          });
        }
      },
    },
  };
}
