// Finds the files, site, database and caches of the shop in CONTENT_DIR, and stores copies of its files for scheduled updates.

import { hash } from "node:crypto";
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { publicFolder } from "#src/content/public-files.ts";
import { cleanStale, root } from "./child-processes.ts";

/** The folder in which the user ran the command: npm changes to the project's folder and sets INIT_CWD. */
export const callerFolder = process.env.INIT_CWD ?? process.cwd();

export const demoFolder = join(root, "src/content");

/** Absolute paths of a shop. By default no two shops have one in common. */
export interface ShopPaths {
  /** The folder of its files. */
  folder: string;
  isDemo: boolean;
  /** The folder of the built site. */
  dist: string;
  /** The folder of the embedded database. */
  data: string;
  /** The folder of caches and unfinished builds. */
  cache: string;
  /** The variables that pass these paths to server, build and commands. */
  env: Record<"CONTENT_DIR" | "SITE_DIR" | "DATA_DIR" | "SHOP_CACHE_DIR" | "DEMO", string>;
}

type Environment = Record<string, string | undefined>;

/** Returns the paths of the shop in CONTENT_DIR, by default the demo. Exits if that folder does not exist, or if SITE_DIR has files other than a built site, which a build would delete. */
export function findShop(env: Environment = process.env): ShopPaths {
  const requested = env.CONTENT_DIR ? resolve(callerFolder, env.CONTENT_DIR) : demoFolder;
  if (!statSync(requested, { throwIfNoEntry: false })?.isDirectory()) {
    console.error(`CONTENT_DIR: there is no folder ${requested}. npm run new -- shop <folder> writes a new shop.`);
    process.exit(1);
  }
  const shop = describeShop(realpathSync(requested), env);
  if (env.SITE_DIR && !isForSites(shop.dist)) {
    console.error(
      `SITE_DIR: ${shop.dist} holds files that are no built site, and a build would delete them. Name a folder of its own.`,
    );
    process.exit(1);
  }
  return shop;
}

/** Returns whether a build may replace a folder: it does not exist, is empty, or is a built site. */
function isForSites(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return !stats;
  const names = readdirSync(folder);
  return names.length === 0 || names.includes("build.json") || names.includes(".hosting");
}

/** Returns the paths of the shop with its files in `folder`. */
export function describeShop(folder: string, env: Environment = {}): ShopPaths {
  const isDemo = folder === realpathSync(demoFolder);
  // Inside the project, where a build finds its packages. The name is short because systems limit the length of the path of the operator's socket.
  const own = isDemo ? null : join(root, ".shops", toName(folder));
  const dist = resolve(root, env.SITE_DIR || (own ? join(own, "dist") : "dist"));
  const data = resolve(root, env.DATA_DIR || (own ? join(own, "data") : ".data"));
  const cache = resolve(root, env.SHOP_CACHE_DIR || (own ? join(own, "cache") : ".cache"));
  const DEMO = env.DEMO || String(isDemo && !env.DATABASE_URL);
  const paths = { CONTENT_DIR: folder, SITE_DIR: dist, DATA_DIR: data, SHOP_CACHE_DIR: cache };
  return { folder, isDemo, dist, data, cache, env: { ...paths, DEMO } };
}

/** Returns a unique name of at most 21 characters for a folder. */
function toName(folder: string): string {
  const readable = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 12);
  return `${readable}-${hash("sha256", folder).slice(0, 8)}`;
}

/** The file of a stored copy with the time of the build that it belongs to. */
const copiedForFile = ".built-for";
const getCopyFolder = (shop: ShopPaths) => join(shop.cache, "published");
const at = (shop: ShopPaths, folder: string): ShopPaths => ({ ...shop, folder, env: { ...shop.env, CONTENT_DIR: folder } });

const isPublic = (path: string) => path.split(sep)[0] === publicFolder;

/** Copies the files of a shop into its cache, so that later edits do not enter what is built from the copy. */
export function copyFiles(shop: ShopPaths): ShopPaths {
  mkdirSync(shop.cache, { recursive: true });
  cleanStale(shop.cache, /^published-(\d+)/);
  const folder = `${getCopyFolder(shop)}-${process.pid}`;
  rmSync(folder, { recursive: true, force: true });
  const from = realpathSync(shop.folder);
  cpSync(from, folder, {
    recursive: true,
    // Keeps links as they are, so that the check of the copy finds them.
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => !/^(\.|node_modules$)/.test(basename(path)) || path === from || isPublic(relative(from, path)),
  });
  return at(shop, folder);
}

/** Stores a copy of the content files as that of the build at `builtFor`, in place of the previous one. */
export function storeCopy(copy: ShopPaths, builtFor: string): ShopPaths {
  const folder = getCopyFolder(copy);
  if (copy.folder !== folder) {
    rmSync(folder, { recursive: true, force: true });
    renameSync(copy.folder, folder);
  }
  writeFileSync(join(folder, copiedForFile), builtFor);
  return at(copy, folder);
}

/** Returns the stored copy of the content files used by the build at `builtFor`; null if there is none. */
export function findCopy(shop: ShopPaths, builtFor: string | null): ShopPaths | null {
  const folder = getCopyFolder(shop);
  const file = join(folder, copiedForFile);
  return existsSync(file) && readFileSync(file, "utf8") === builtFor ? at(shop, folder) : null;
}
