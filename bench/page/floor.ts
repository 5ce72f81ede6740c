import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root, startNode, waitForExit } from "../../scripts/process.ts";
import { compressSite } from "../../src/build/compress.ts";
import { onlyInHeader, toOrigins, toPolicy } from "../../src/build/content-security-policy.ts";
import { findTags } from "../../src/build/html.ts";

/** The floor of a page: an empty page with the same largest picture, and with React if the page has islands. */
export interface Floor {
  island: boolean;
  hero: string | null;
}

const getName = (floor: Floor, heroes: string[]) =>
  `floor${floor.island ? "-island" : ""}${floor.hero === null ? "" : `-hero-${heroes.indexOf(floor.hero)}`}`;

/** Builds the floor pages with Astro into a folder, one for each picture. */
async function build(folder: string): Promise<void> {
  const args = ["node_modules/astro/bin/astro.mjs", "build", "--root", "bench/floor", "--outDir", folder];
  const { status } = await waitForExit(startNode(args, { ASTRO_TELEMETRY_DISABLED: "1" }, ["ignore", "ignore", "inherit"]));
  if (status !== 0) throw new Error("the build of the floor pages failed");
}

/** Adds floor pages to a built site, compressed and served like its own. Returns a function that returns the path of a floor. */
export async function addFloors(dist: string, floors: Floor[]): Promise<(floor: Floor) => string> {
  const folder = join(root, ".cache/floor-dist");
  await build(folder);
  const heroes = [...new Set(floors.flatMap(({ hero }) => (hero === null ? [] : [hero])))];
  for (const kind of ["floor-hero", "floor-island-hero"]) {
    const html = await readFile(join(folder, `${kind}.html`), "utf8");
    await Promise.all(
      heroes.map((hero, at) =>
        writeFile(join(folder, `${kind}-${at}.html`), html.replace(/<img [^>]*src="\/hero"[^>]*>/, hero)),
      ),
    );
    await rm(join(folder, `${kind}.html`));
  }
  await compressSite(folder, join(root, ".cache/floor-brotli"));
  const headersFile = join(dist, ".hosting/headers.json");
  const headers: { policies: string[]; pages: Record<string, number> } = JSON.parse(await readFile(headersFile, "utf8"));
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".html"))) {
    const policy = toPolicy(findTags(await readFile(join(folder, file), "utf8")), toOrigins({}));
    headers.pages[file] = headers.policies.push(`${policy}; ${onlyInHeader}`) - 1;
  }
  await cp(folder, dist, { recursive: true });
  await writeFile(headersFile, JSON.stringify(headers));
  // The server reloads a build when this file changes.
  await writeFile(join(dist, "build.json"), await readFile(join(dist, "build.json")));
  return (floor) => `/${getName(floor, heroes)}`;
}
