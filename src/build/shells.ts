import type { AstroIntegration } from "astro";
import { goodsListsPath, packageListsPath } from "../api/paths.ts";
import { getRoute, getShell, matchRoute, shellParam } from "../routes.ts";

const freshFor = 5_000;
const lists = { item: goodsListsPath.path, vip: packageListsPath.path } as const;

/** In development: URLs whose parameter was unknown get their route's shell, as the host and the rewrite files do it for a built site. */
export function shells(): AstroIntegration {
  const known = knownUids(process.env.BUILD_API_ORIGIN ?? "");
  return {
    name: "shells",
    hooks: {
      "astro:server:setup": ({ server }) => {
        server.middlewares.use(async (request, _, next) => {
          const [pathname = "", search] = (request.url ?? "").split(/(?=\?)/, 2);
          const match = matchRoute(pathname);
          const shell = match && getShell(pathname);
          const uid = match?.params.uid;
          const fixed =
            match && getRoute(match.name).shell === "fallback" && uid && (uid === shellParam || (await known(match.name, uid)));
          // The address that the page sees stays the visitor's.
          if (shell && !fixed) request.url = shell + (search ?? "");
          next();
        });
      },
    },
  };
}

/** Whether the host has a good or a package, as the pages of a build would know it. Without a host nothing is known. */
function knownUids(origin: string): (route: string, uid: string) => Promise<boolean> {
  const answers = new Map<string, { at: number; text: Promise<string> }>();
  return async (route, uid) => {
    const path = route === "item" || route === "vip" ? lists[route] : null;
    if (!origin || !path) return false;
    let answer = answers.get(path);
    if (!answer || Date.now() - answer.at > freshFor) {
      const text = fetch(origin + path).then(
        (response) => response.text(),
        () => "",
      );
      answer = { at: Date.now(), text };
      answers.set(path, answer);
    }
    return (await answer.text).includes(`uid":${JSON.stringify(uid)}`);
  };
}
