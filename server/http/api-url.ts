import { apiPaths } from "../../src/routes.ts";

const folders = apiPaths.folders.join("|");
const files = apiPaths.files.join("|").replaceAll(".", "\\.");
const apiUrl = new RegExp(`^https?://[^/?#]+/((${folders})(/|[?#]|$)|(${files})([?#]|$))`);

/** Returns whether a request's absolute URL is the API server's; every other one is the site's. */
export function isApiUrl(url: string): boolean {
  return apiUrl.test(url);
}
