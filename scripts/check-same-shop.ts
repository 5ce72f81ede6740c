import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const shelves = [
  { pages: "mall/item", path: "/v1/goods/allLists" },
  { pages: "mall/vip", path: "/v1/memberPackage/lists" },
];
/** Stands for what is unknown when a site is built. */
const shell = "_";

/** Whether a built site has pages of goods or passes, and the server at `origin` knows none of them: the site is another shop's. */
export async function isOfOtherShop(dist: string, origin: string): Promise<boolean> {
  const shown = shelves.flatMap(({ pages }) => uidsIn(join(dist, pages)));
  if (shown.length === 0) return false;
  const answers = await Promise.all(shelves.map(async ({ path }) => (await fetch(origin + path)).text()));
  return !shown.some((uid) => answers.some((text) => text.includes(`uid":${JSON.stringify(uid)}`)));
}

function uidsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".html"))
    .map((file) => file.slice(0, -".html".length))
    .filter((uid) => uid !== shell);
}
