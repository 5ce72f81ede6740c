import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { goodsListsPath, packageListsPath } from "../api/paths.ts";
import { getRoute, getShell, matchRoute, shellParam } from "../routes.ts";

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

/** In development, redirects the old addresses of renamed entries, as the server and the rules for hosts do for a built site. */
export function devRedirects(): AstroIntegration {
  return {
    name: "dev-redirects",
    hooks: {
      "astro:server:setup": ({ server }) => {
        server.middlewares.use(async (request, response, next) => {
          const [pathname = "", search] = (request.url ?? "").split(/(?=\?)/, 2);
          // Scripts and styles have no old addresses.
          if (!matchRoute(pathname)) return next();
          const table = await fetch(`http://${request.headers.host}/redirects.json`).then(
            (answer) => answer.json(),
            () => ({}),
          );
          const to: unknown = table[pathname];
          if (typeof to !== "string") return next();
          response.writeHead(308, { location: to + (search ?? "") }).end();
        });
      },
    },
  };
}

const lists = { item: goodsListsPath.path, vip: packageListsPath.path };

/** In development, serves a route's shell for unknown parameters, as the server and the rewrite files do for a built site. */
export function devShells(): AstroIntegration {
  return {
    name: "dev-shells",
    hooks: {
      "astro:server:setup": ({ server }) => {
        server.middlewares.use(async (request, _, next) => {
          const [pathname = "", search] = (request.url ?? "").split(/(?=\?)/, 2);
          const match = matchRoute(pathname);
          const shell = match && getShell(pathname);
          const { uid } = { uid: "", ...match?.params };
          const hasOwnPage = match && getRoute(match.name).shell === "fallback" && (await isListed(match.name, uid));
          // The browser's URL stays.
          if (shell && !hasOwnPage) request.url = shell + (search ?? "");
          next();
        });
      },
    },
  };
}

/** Returns whether the server lists an item or a package, as a build would. Without a server, nothing is listed but the shell. */
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
