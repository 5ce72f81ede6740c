import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { goodsListsPath, packageListsPath } from "../src/api/paths.ts";

/** Folders of a built site, with the call that lists their products. */
const catalogues = [
  { folder: "mall/item", ...goodsListsPath },
  { folder: "mall/vip", ...packageListsPath },
];
/** The file name of a shell. */
const shell = "_";

/** Returns whether a built site has pages of goods or packages, and the server at `origin` lists none of them. */
export async function isSiteOfAnotherShop(dist: string, origin: string): Promise<boolean> {
  const builtUids = catalogues.flatMap(({ folder }) => listUids(join(dist, folder)));
  if (builtUids.length === 0) return false;
  const responses = await Promise.all(catalogues.map(async ({ path }) => (await fetch(origin + path)).text()));
  return !builtUids.some((uid) => responses.some((text) => text.includes(`uid":${JSON.stringify(uid)}`)));
}

function listUids(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".html"))
    .map((file) => file.slice(0, -".html".length))
    .filter((uid) => uid !== shell);
}
