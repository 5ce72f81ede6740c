import { onMount } from "nanostores";
import { send } from "../../api/client.ts";
import { goodsLists } from "../../api/goods.ts";
import { packageLists } from "../../api/package.ts";
import { onReturn } from "../../lib/page-lifecycle.ts";
import { resource } from "../../lib/resource.ts";

/** Holds all items and packages on sale; loads them again on return to the page. */
export function mallStore<Problem>(toProblem: (error: unknown) => Problem) {
  const store = resource(async () => {
    const [goods, packages] = await Promise.all([send(goodsLists), send(packageLists)]);
    return { goods: goods.list, packages: packages.list };
  }, toProblem);
  onMount(store.$state, () => onReturn(store.load));
  return store;
}
