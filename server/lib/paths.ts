// What the API answers, with all below it, and just as it stands; every other path is the site's.
const trees = ["v1", "cashier", "pay"];
const leaves = ["healthz", "readyz", "docs", "openapi.json"];
export const apiPaths = [...trees, ...leaves].map((name) => `/${name}`);

// Of a whole URL, as requests carry it: nothing is left to be normalised in it.
const own = new RegExp(`^https?://[^/?#]+/((${trees.join("|")})(/|[?#]|$)|(${leaves.join("|").replace(".", "\\.")})([?#]|$))`);

export function isApi(url: string): boolean {
  return own.test(url);
}
