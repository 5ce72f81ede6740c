import { join } from "node:path";
import { prefixes, withPrefix } from "#i18n/locale.ts";
import { toRedirects } from "#src/layouts/redirects.ts";
import { refusalStatuses } from "#src/routes.ts";
import type { RawResponse } from "./site.ts";
import { readTable } from "./table.ts";

const page = (name: string) => `<!doctype html><title>${name}</title>${"<p>text</p>".repeat(50)}`;
/** Old paths of the build with their new ones. */
export const oddRedirects: Record<string, string> = {
  ...toRedirects([]),
  "/news/old": "/news/knobs",
  "/en-US/news/old": "/en-US/news",
  "/mall/item/bag": "/mall/item/vinyl",
  "/mall/order/confirm/bag": "/mall/order/confirm/vinyl",
  "/calendar/old.ics": "/calendar/entrance.ics",
};

const pages = [
  "index",
  "news",
  "news/knobs",
  "mall",
  "mall/item/vinyl",
  "mall/item/_",
  "mall/order/_",
  "mall/order/confirm/_",
  "user/order/list",
  "user/order/_",
  "404",
  "500",
  "en-US",
  "zh-CN",
  "en-US/news",
  "zh-CN/news",
  "en-US/mall/item/_",
  "en-US/mall/item/vinyl",
  "en-US/404",
  "zh-CN/404",
  "en-US/500",
  "zh-CN/500",
  ...prefixes.flatMap((prefix) => refusalStatuses.map((status) => withPrefix(prefix, `/${status}`).slice(1))),
];

/** Files that are served as they are, whatever their names. */
export const publicFiles = {
  "MP_verify_1a2b.txt": "1a2b",
  "google1a2b.html": "google-site-verification: google1a2b.html",
  "files/index.html": "menu",
  ".apple/x.txt": "x",
  "files/.x/菜单 1.txt": "菜单",
  ".well-known/.x/y.txt": "y",
};

/** A small build as files: public ones and ones that must not be served. */
export const oddBuild: Record<string, string> = {
  ...Object.fromEntries(pages.map((name) => [`${name}.html`, page(name)])),
  "news.html.br": page("news"),
  "_astro/a.abc.js": `export const a = "${"a".repeat(500)}";`,
  "_astro/a.abc.js.br": "export const a = 1;",
  "calendar/entrance.ics": "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
  "posters/a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
  "robots.txt": "User-agent: *\n",
  "build.json": '{"id":"1"}',
  "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
  "cards/1a.png": "",
  "sw.js": "",
  "pictures/a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
  "search/zh-CN.json": "{}",
  _headers: "/*\n",
  _redirects: "/a /b 200\n",
  ".hosting/nginx.conf": "charset utf-8;\n",
  ...publicFiles,
  ".hosting/public.json": JSON.stringify(Object.keys(publicFiles)),
  ".hosting/redirects.json": JSON.stringify(oddRedirects),
  ".hosting/headers.json": JSON.stringify({ policies: [], pages: {} }),
  ".env": "SECRET_KEY=1\n",
  ".well-known/.env": "SECRET_KEY=1\n",
  ".well-known/acme-challenge/x": "token\n",
  ".well-known/security.txt": "Contact: mailto:a@b.example\n",
};

/** Summarises a response: status and page title, location or content type. */
export function formatSummary({ status, headers, body }: RawResponse): string {
  if (headers.location !== undefined) return `${status} to ${headers.location}`;
  const text = body.toString();
  const title = /<title>(.*?)<\/title>/.exec(text)?.[1];
  if (title && !/^\d{3} /.test(title)) return `${status} ${title}`;
  if (status === 404) return text === "Not found\n" && body.byteLength < 20 ? "404 short" : "404 own";
  return status < 300 ? `${status} ${headers["content-type"]}` : String(status);
}

/** Raw request targets and their expected summaries, any of which is valid. */
export const oddPaths: [target: string, summaries: string[]][] = [
  ...readTable(join(import.meta.dirname, "odd-paths.tsv")).map(([target = "", summaries = ""]): [string, string[]] => [
    target,
    summaries.split(" | "),
  ]),
  [`/${"a".repeat(3000)}`, ["404 404"]],
];
