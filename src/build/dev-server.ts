// Astro integration: makes the dev server redirect and serve shells as hosts of the built site do, and restart for a new or removed page.

import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { fixPrefixCase } from "#i18n/locale.ts";
import { goodsListsPath, packageListsPath } from "#src/api/paths.ts";
import { getRoute, getShell, matchRoute, shellParam, shortRedirects } from "#src/routes.ts";

export function devServer(): AstroIntegration {
  let pages = "";
  return {
    name: "dev-server",
    hooks: {
      "astro:config:setup": ({ config, addWatchFile }) => {
        pages = fileURLToPath(new URL("pages/", config.srcDir));
        addWatchFile(pages);
      },
      "astro:server:setup": ({ server: { watcher, middlewares } }) => {
        // The i18n integration adds the routes with a language prefix only at startup: a change of the watched folder restarts the server.
        for (const event of ["add", "unlink"] as const) {
          watcher.on(event, (path) => {
            if (path.startsWith(pages) && path.endsWith(".astro")) watcher.emit("change", pages);
          });
        }
        middlewares.use(async (request, response, next) => {
          const [pathname = "", search = ""] = (request.url ?? "").split(/(?=\?)/, 2);
          const path = fixPrefixCase(pathname);
          // Only pages have redirects and shells.
          if (path === pathname && !matchRoute(path) && !Object.hasOwn(shortRedirects, path)) return next();
          const to = (await findRedirect(path, request.headers.host)) ?? (path === pathname ? undefined : path);
          if (to) return void response.writeHead(308, { location: to + search }).end();
          // Rewritten on the server: the URL in the browser stays.
          request.url = ((await findShell(pathname)) ?? pathname) + search;
          next();
        });
      },
    },
  };
}

/** Returns the new path of a renamed entry. */
async function findRedirect(path: string, host: string | undefined): Promise<string | undefined> {
  const table: Record<string, string> = await fetch(`http://${host}/redirects.json`).then(
    (answer) => answer.json(),
    () => ({}),
  );
  return table[path];
}

/** Returns the shell that serves a path; null if the path has a page of its own. */
async function findShell(path: string): Promise<string | null> {
  const match = matchRoute(path);
  const { uid } = { uid: "", ...match?.params };
  const hasOwnPage = match && getRoute(match.name).shell === "fallback" && (await isListed(match.name, uid));
  return hasOwnPage ? null : getShell(path);
}

const lists = { item: goodsListsPath.path, vip: packageListsPath.path };

/** Returns whether a build would render a page for this item or pass: the server lists it, or `uid` is that of the shell. */
async function isListed(route: string, uid: string): Promise<boolean> {
  const origin = process.env.BUILD_API_ORIGIN;
  if (uid === shellParam) return true;
  if (!origin || !(route === "item" || route === "vip")) return false;
  const answer = await fetch(origin + lists[route]).then(
    (response) => response.json(),
    () => null,
  );
  const list: { goods_uid?: string; uid?: string }[] = answer?.data?.list ?? [];
  return list.some((product) => (product.goods_uid ?? product.uid) === uid);
}
