// Hashes all inputs of a build into a fingerprint: `npm start` rebuilds a site that was built with another one.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { activityInfoPath, bookingInfoPath, goodsInfoPath, goodsListsPath, packageListsPath } from "#src/api/paths.ts";
import type { shopFile } from "#src/content/catalogue.ts";
import { publicFolder } from "#src/content/public-files.ts";
import { root } from "./child-processes.ts";

const inputs = [
  "src",
  publicFolder,
  "i18n",
  "server/modules/region/region.tsv",
  "astro.config.mjs",
  "tailwind.config.mjs",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];
/** Fields of responses that the fingerprint leaves out: the browser loads them, and built pages do not contain them. */
const volatile = new Set(["sold", "booked", "places_left", "server_time", "my_status"]);
/** Fields that the fingerprint reduces to whether anything is left: built pages contain no more of them, in structured data. */
const availability: Record<string, (value: unknown) => boolean> = {
  stock: (value) => value !== 0,
  status: (value) => value !== "full" && value !== "closed",
};
export const fingerprintFile = ".hosting/fingerprint";
/** The file of a built site that stores the time of the build, in ISO format: entries with a later `publish_at` are not on it. */
export const builtForFile = ".hosting/built-for";

/** Returns a hash of the inputs of a build: the sources, the shop's files, the number of scheduled updates that are already due, the site's origin, PUBLIC_ variables, and the catalogue of the server. */
export async function fingerprint(shopFolder: string, apiOrigin: string, updates: number): Promise<string> {
  const hash = createHash("sha256").update(`${updates}\0`);
  for (const input of inputs) await addPath(hash, root, input);
  await addPath(hash, shopFolder, "");
  for (const name of Object.keys(process.env)
    .filter((key) => key.startsWith("PUBLIC_"))
    .sort()) {
    hash.update(`${name}=${process.env[name]}\0`);
  }
  // Without PUBLIC_SITE_ORIGIN, the site's origin has the port of this machine's server.
  if (!process.env.PUBLIC_SITE_ORIGIN) hash.update(`PORT=${process.env.PORT ?? ""}\0`);
  if (apiOrigin) hash.update(await fetchCatalogue(apiOrigin));
  return hash.digest("hex");
}

/** Reads the fingerprint, shop id or build time stored in a built site; null if it is missing. */
export function readBuilt(dist: string, name: typeof fingerprintFile | typeof shopFile | typeof builtForFile): string | null {
  try {
    return readFileSync(join(dist, name), "utf8");
  } catch {
    return null;
  }
}

/** Adds a file or folder to the hash, without node_modules, and without dot files except those of a public folder. */
async function addPath(hash: ReturnType<typeof createHash>, base: string, path: string): Promise<void> {
  const absolutePath = join(base, path);
  const info = await stat(absolutePath).catch(() => null);
  if (info?.isDirectory()) {
    const isPublic = path.split("/").find(Boolean) === publicFolder;
    const names = (await readdir(absolutePath)).filter((name) => isPublic || !/^(\.|node_modules$)/.test(name));
    for (const name of names.sort()) await addPath(hash, base, `${path}/${name}`);
  } else if (info) hash.update(`${path}\0${info.size}\0`).update(await readFile(absolutePath));
}

type Call = (call: { path: string }, body?: object) => Promise<unknown>;

async function fetchCatalogue(origin: string): Promise<string> {
  const responses = await Promise.all(
    ["zh-CN", "en-US"].flatMap((locale) => {
      const call: Call = ({ path }, body) => callServer(origin, locale, path, body);
      const goods = call(goodsListsPath).then(async (list) => [list, await fetchPostage(list, call)]);
      return [goods, ...[packageListsPath, activityInfoPath, bookingInfoPath].map((path) => call(path))];
    }),
  );
  return JSON.stringify(responses, (key, value) => (volatile.has(key) ? undefined : (availability[key]?.(value) ?? value)));
}

/** Requests a single item, because its response contains the postage, which is the same for all items. */
async function fetchPostage(list: unknown, call: Call): Promise<unknown> {
  const uid = /"goods_uid":"([^"]+)"/.exec(JSON.stringify(list) ?? "")?.[1];
  return uid ? call(goodsInfoPath, { goods_uid: uid }) : null;
}

async function callServer(origin: string, locale: string, path: string, body?: object): Promise<unknown> {
  const headers = { "content-type": "application/json", "device-type": "web", token: "", "accept-language": locale };
  const response = await fetch(origin + path, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
  // A server without this call responds without JSON: its status, which is always the same, enters the fingerprint.
  return response.json().catch(() => response.status);
}
