// `npm run editor`: Sveltia CMS on the shop's folder, for this machine alone. The browser reads and writes the files; this
// server only hands out the program, so that nothing of it is in a built site.

import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import getPort from "get-port";
import { loadEnvFile } from "#server/config/env-file.ts";
import { createEditorConfig } from "#src/content/editor.ts";
import { endOnSignal, root } from "./process.ts";
import { findShop } from "./shop.ts";

const cms = join(root, "node_modules/@sveltia/cms");
const { dependencies } = JSON.parse(readFileSync(join(cms, "package.json"), "utf8"));
// The program would load what it hands to listeners from another server.
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

/** Lets the program run and show pictures of the folder. It sends nothing anywhere, and loads nothing from elsewhere. */
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

/** The program's words in other languages than English, and its fonts, one of which draws the icons. */
const files = [...listFiles("locales", ".json", "application/json"), ...listFiles("npm/assets", ".woff2", "font/woff2")];

function listFiles(folder: string, ending: string, type: string) {
  const names = readdirSync(join(cms, folder)).filter((name) => name.endsWith(ending));
  return names.map((name) => ({ path: `/${folder}/${name}`, type, read: () => readFileSync(join(cms, folder, name)) }));
}

/** Returns the program, which takes its words and fonts from this server in place of others. */
function readCms(): string {
  const fontUrl = /https:\/\/cdn\.jsdelivr\.net\/fontsource\/fonts\/([\w-]+)[^/]*\/([\w-]+)\.woff2/g;
  return readFileSync(join(cms, "dist/sveltia-cms.js"), "utf8")
    .replace(/`\$\{\w+\}@\$\{\w+\}\/locales`/, "`/locales`")
    .replace(fontUrl, (url, font: string, name: string) => {
      // A file's name ends in a hash.
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

/** What the program hands to a listener: maps and lists of Immutable.js. */
interface Data {
  get(key: string | number): unknown;
  getIn(path: Path): unknown;
  set(key: string, value: string): Data;
  setIn(path: Path, value: Data): Data;
  keySeq(): Iterable<string | number>;
  clear(): Data;
}

/** Runs in the browser. The program leaves empty optional texts out of a file: a picture that only decorates keeps a blank in place of its description. */
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
    // What has a description in one language must have one in the other.
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
// The same port each time, as the browser remembers the folder by it.
const port = await getPort({ port: 4331, host: "127.0.0.1" });
const server = createServer(({ method = "", url = "", headers }, response) => {
  const [path = ""] = url.split("?");
  const found = responses.get(path);
  // Another name for this machine could be one that a foreign page has pointed here.
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
