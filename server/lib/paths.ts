/** Paths that the API answers; every other one is the site's. Of a whole URL, as requests carry it: nothing is left to be normalised in it. */
const own = /^https?:\/\/[^/?#]+\/((v1|cashier|pay)(\/|[?#]|$)|(healthz|readyz|docs|openapi\.json)([?#]|$))/;

export function isApi(url: string): boolean {
  return own.test(url);
}
