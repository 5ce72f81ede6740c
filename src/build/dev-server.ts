// Astro integration: makes the dev server redirect and serve shells as hosts of the built site do, and restart for a new or removed page.

import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { fixPrefixCase } from "#i18n/locale.ts";
import { goodsListsPath, packageListsPath } from "#src/api/paths.ts";
import { getShell, matchRoute, shellParam, shortRedirects } from "#src/routes.ts";

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
  const table: Record<string, string> | null = await fetchJson(`http://${host}/redirects.json`);
  return table?.[path];
}

const lists: Partial<Record<string, string>> = { item: goodsListsPath.path, vip: packageListsPath.path };

/** Returns the shell that serves a path; null if the path has a page of its own: that of the shell, or of an item or pass that the server lists. */
async function findShell(path: string): Promise<string | null> {
  const match = matchRoute(path);
  const list = match && lists[match.name];
  const uid = match?.params.uid;
  const hasOwnPage = list && (uid === shellParam || (await listUids(list)).includes(uid));
  return hasOwnPage ? null : getShell(path);
}

async function listUids(path: string): Promise<(string | undefined)[]> {
  const answer: { data?: { list?: { goods_uid?: string; uid?: string }[] } } | null = await fetchJson(
    `${process.env.BUILD_API_ORIGIN}${path}`,
  );
  return (answer?.data?.list ?? []).map((product) => product.goods_uid ?? product.uid);
}

/** Returns null when the request fails, or its answer is no JSON. */
const fetchJson = (url: string) =>
  fetch(url)
    .then((response) => response.json())
    .catch(() => null);
