// `npm run editor`: serves Sveltia CMS on this machine, apart from the site. The browser, not this server, reads and writes the files.

import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import getPort from "get-port";
import { loadEnvFile } from "#server/config/env-file.ts";
import { createEditorConfig } from "#src/content/editor.ts";
import { endOnSignal, root } from "./child-processes.ts";
import { findShop } from "./shop-paths.ts";

const cms = join(root, "node_modules/@sveltia/cms");
const { dependencies } = JSON.parse(readFileSync(join(cms, "package.json"), "utf8"));
// Sveltia CMS loads Immutable.js, whose maps its event listeners receive, from this URL. The import map serves a local file instead.
const immutable = `https://unpkg.com/immutable@${String(dependencies.immutable).replace(/^\D/, "")}/dist/immutable.es.js`;
const importMap = JSON.stringify({ imports: { [immutable]: "/immutable.js" } });
const page = `<!doctype html>
<html lang="zh-CN">
<head><meta charset="utf-8"><meta name="robots" content="noindex"><title>Editor</title>
<script type="importmap">${importMap}</script>
<link rel="cms-config-url" type="application/json" href="/config.json"></head>
<body><script src="/sveltia-cms.js"></script><script src="/keep-empty-alts.js"></script></body>
</html>
`;

/** Lets Sveltia CMS run and show pictures of the folder, but not connect to any other server. */
const policy = [
  "default-src 'none'",
  `script-src 'self' 'unsafe-eval' 'sha256-${hash("sha256", importMap, "base64")}'`,
  "style-src 'self' 'unsafe-inline' data:",
  "img-src 'self' blob: data:",
  "media-src blob: data:",
  "font-src 'self' data:",
  "connect-src 'self' blob: data:",
  "worker-src 'self' blob:",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The translations of Sveltia CMS, and its fonts, one of which contains the icons. */
const files = [...listFiles("locales", ".json", "application/json"), ...listFiles("npm/assets", ".woff2", "font/woff2")];

function listFiles(folder: string, ending: string, type: string) {
  const names = readdirSync(join(cms, folder)).filter((name) => name.endsWith(ending));
  return names.map((name) => ({ path: `/${folder}/${name}`, type, read: () => readFileSync(join(cms, folder, name)) }));
}

/** Returns the script of Sveltia CMS, changed to load translations and fonts from this server. */
function readCms(): string {
  const fontUrl = /https:\/\/cdn\.jsdelivr\.net\/fontsource\/fonts\/([\w-]+)[^/]*\/([\w-]+)\.woff2/g;
  return readFileSync(join(cms, "dist/sveltia-cms.js"), "utf8")
    .replace(/`\$\{\w+\}@\$\{\w+\}\/locales`/, "`/locales`")
    .replace(fontUrl, (url, font: string, name: string) => {
      // The names of font files end in a hash.
      const file = files.find(({ path }) => path.startsWith(`/npm/assets/${font}-${name}-`));
      return file?.path ?? url;
    });
}

const responses = new Map<string, { type: string; read: () => string | Buffer }>([
  ...files.map(({ path, ...file }) => [path, file] as const),
  ...Object.entries({
    "/": { type: "text/html; charset=utf-8", read: () => page },
    "/config.json": { type: "application/json", read: () => JSON.stringify(createEditorConfig(basename(shop.folder))) },
    "/sveltia-cms.js": { type: "text/javascript; charset=utf-8", read: readCms },
    "/immutable.js": {
      type: "text/javascript; charset=utf-8",
      read: () => readFileSync(join(root, "node_modules/immutable/dist/immutable.es.js")),
    },
    "/keep-empty-alts.js": { type: "text/javascript; charset=utf-8", read: () => `(${keepEmptyAlts})()` },
  }),
]);

type Path = (string | number)[];

/** What Sveltia CMS passes to event listeners: maps and lists of Immutable.js. */
interface Data {
  get(key: string | number): unknown;
  getIn(path: Path): unknown;
  set(key: string, value: string): Data;
  setIn(path: Path, value: Data): Data;
  keySeq(): Iterable<string | number>;
  clear(): Data;
}

/** Runs in the browser. Replaces the empty `alt` of a decorative picture with a space before an entry is saved, because Sveltia CMS leaves empty optional fields out of the file. */
function keepEmptyAlts(): void {
  const isData = (value: unknown): value is Data => typeof Object(value).keySeq === "function";
  const listPictures = (value: unknown, path: Path = []): Path[] => {
    if (!isData(value)) return [];
    if (value.get("file") && path.length > 0) return [path];
    return [...value.keySeq()].flatMap((key) => listPictures(value.get(key), [...path, key]));
  };
  const isBlank = (alt: unknown) => !String(alt ?? "").trim();
  const keep = (entry: Data, text: Path, picture: Path): Data => {
    const path = [...text, ...picture];
    if (!isBlank(entry.getIn([...path, "alt"])) || !isData(entry.getIn(path.slice(0, -1)))) return entry;
    const own = entry.getIn(path);
    return entry.setIn(path, (isData(own) ? own : entry.clear()).set("alt", " "));
  };
  const handler = ({ entry }: { entry: Data }) => {
    const others = entry.get("i18n");
    const texts = [["data"], ...(isData(others) ? [...others.keySeq()].map((locale) => ["i18n", locale, "data"]) : [])];
    // Skips pictures that are described in the first language: the check of the files reports a description that is missing in the other.
    const pictures = listPictures(entry.get("data")).filter((path) => isBlank(entry.getIn(["data", ...path, "alt"])));
    return texts
      .flatMap((text) => pictures.map((path) => [text, path] as const))
      .reduce((saved, pair) => keep(saved, ...pair), entry);
  };
  Reflect.get(window, "CMS").registerEventListener({ name: "preSave", handler });
}

endOnSignal();
loadEnvFile();
const shop = findShop();
// The same port each time if it is free, because the browser remembers the folder by origin.
const port = await getPort({ port: 4331, host: "127.0.0.1" });
const server = createServer(({ method = "", url = "", headers }, response) => {
  const [path = ""] = url.split("?");
  const found = responses.get(path);
  // Prevents DNS rebinding: the domain of a foreign page may resolve to this machine.
  const isLocal = /^(127\.0\.0\.1|localhost):\d+$/.test(headers.host ?? "");
  response.setHeader("content-security-policy", policy);
  response.setHeader("cache-control", "no-cache");
  if (!found || !isLocal) return void response.writeHead(404).end();
  if (method !== "GET" && method !== "HEAD") return void response.writeHead(405, { allow: "GET, HEAD" }).end();
  response.setHeader("content-type", found.type).end(found.read());
});
server.listen(port, "127.0.0.1", () => {
  console.log(`Editor: http://localhost:${port}`);
  console.log(`Open it in Chrome or Edge, choose "Work with Local Repository", then the folder ${shop.folder}`);
  if (!existsSync(join(shop.folder, ".git")))
    console.log(`The editor requires a folder with a Git repository: run git init in ${shop.folder} first.`);
});
