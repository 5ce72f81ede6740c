// `npm run dev`: starts the API server on PORT + 1 and Astro on PORT. Changed sources restart the server, changed shop files apply the catalogue.

import { basename, join, relative, sep } from "node:path";
import { watch } from "chokidar";
import { loadEnvFile } from "#server/config/env-file.ts";
import { toCatalogue } from "#src/content/to-catalogue.ts";
import { buildEnvironment } from "./build.ts";
import { print, readContent, sendCatalogue } from "./catalogue.ts";
import { endChildren, endOnSignal, root, startNode, startServer, waitForExit } from "./child-processes.ts";
import { findShop } from "./shop-paths.ts";

/** Delay after a change, in ms: editors save a file in several steps. */
const debounce = 100;

/** Calls `onChange` when a file changes whose path (relative to the project, with `/`) passes `matches`. Ignores dot files. */
function watchFolders(folders: string[], matches: (path: string) => boolean, onChange: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  const ignored = (path: string) => basename(path).startsWith(".") && !folders.includes(path);
  watch(folders, { ignored, ignoreInitial: true }).on("all", (_event, path) => {
    if (!matches(relative(root, path).split(sep).join("/"))) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, debounce);
  });
}

endOnSignal();
loadEnvFile();
const shop = findShop();
const port = Number(process.env.PORT || 4321);
if (!(port > 0 && port < 65_535)) {
  console.error(`PORT must be from 1 to 65534, because the API server uses the next port: ${process.env.PORT}`);
  process.exit(1);
}
const site = `http://localhost:${port}`;
const env = {
  ...shop.env,
  PORT: String(port + 1),
  HOST_ORIGIN: process.env.HOST_ORIGIN ?? site,
  SITE_ORIGINS: process.env.SITE_ORIGINS ?? site,
};
let server = await startServer(env);
if ("status" in server) process.exit(server.status || 1);
const { origin } = server;

/** Returns whether the server imports a file. */
const isServerFile = (path: string) => /^(server|i18n|src\/api)\/.*\.\w+$|^src\/(routes|content\/catalogue)\.ts$/.test(path);

/** Applies the shop's catalogue to the embedded database. Prints errors in the files. */
async function apply(): Promise<void> {
  if (process.env.DATABASE_URL) return;
  const content = await readContent(shop);
  if (content) print(await sendCatalogue(shop, "apply", toCatalogue(content, new Date())));
}

async function restart(): Promise<void> {
  if (!("status" in server)) {
    server.child.kill("SIGINT");
    await server.ended;
  }
  server = await startServer(env);
  if ("status" in server) console.error("The server failed; it restarts when its sources change.");
}
let latest = apply();
watchFolders(
  ["server", "i18n", "src"].map((folder) => join(root, folder)),
  isServerFile,
  () => {
    latest = latest.then(restart);
  },
);
// Astro reloads the pages by itself.
watchFolders(
  [shop.folder],
  (path) => /\.(md|ya?ml|jpe?g|png|webp|avif|svg|mp3)$/i.test(path),
  () => {
    latest = latest.then(apply);
  },
);
await latest;

const astro = startNode(
  ["node_modules/astro/bin/astro.mjs", "dev", "--port", String(port)],
  { ...shop.env, DEV_HOST: origin, BUILD_API_ORIGIN: origin, ASTRO_TELEMETRY_DISABLED: "1" },
  "inherit",
  buildEnvironment(process.env),
);
const { status } = await waitForExit(astro);
await endChildren();
process.exit(status);
