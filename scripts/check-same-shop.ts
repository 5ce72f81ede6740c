import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const shelves = [
  { pages: "mall/item", path: "/v1/goods/allLists" },
  { pages: "mall/vip", path: "/v1/memberPackage/lists" },
];
/** File name of a shell. */
const shell = "_";

/** Returns whether a built site has pages of goods or packages, and the server at `origin` lists none of them. */
export async function isOtherShop(dist: string, origin: string): Promise<boolean> {
  const builtUids = shelves.flatMap(({ pages }) => listUids(join(dist, pages)));
  if (builtUids.length === 0) return false;
  const responses = await Promise.all(shelves.map(async ({ path }) => (await fetch(origin + path)).text()));
  return !builtUids.some((uid) => responses.some((text) => text.includes(`uid":${JSON.stringify(uid)}`)));
}

function listUids(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".html"))
    .map((file) => file.slice(0, -".html".length))
    .filter((uid) => uid !== shell);
}
