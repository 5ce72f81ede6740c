import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root, startNode, waitForExit } from "../../scripts/process.ts";
import { compressFiles, listFiles } from "../../src/build/compress.ts";
import { onlyInHeader, toOrigins, toPolicy } from "../../src/build/content-security-policy.ts";
import { findTags } from "../../src/build/html.ts";

/** The floor that a page is measured against: with React where the page has it, with the same picture where it has one. */
export interface Floor {
  island: boolean;
  hero: string | null;
}

const nameOf = (floor: Floor, heroes: string[]) =>
  `floor${floor.island ? "-island" : ""}${floor.hero === null ? "" : `-hero-${heroes.indexOf(floor.hero)}`}`;

/** Builds the floor pages with Astro into a folder, one for each picture. */
async function build(folder: string): Promise<void> {
  const args = ["node_modules/astro/bin/astro.mjs", "build", "--root", "bench/floor", "--outDir", folder];
  const { status } = await waitForExit(startNode(args, { ASTRO_TELEMETRY_DISABLED: "1" }, ["ignore", "ignore", "inherit"]));
  if (status !== 0) throw new Error("the floor pages were not built");
}

/** Puts floor pages into a built site, packed and served like its own. Answers where each lies. */
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
  await compressFiles(folder, await listFiles(folder), join(root, ".cache/floor-brotli"));
  const headersFile = join(dist, ".hosting/headers.json");
  const headers: { policies: string[]; pages: Record<string, number> } = JSON.parse(await readFile(headersFile, "utf8"));
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".html"))) {
    const policy = toPolicy(findTags(await readFile(join(folder, file), "utf8")), toOrigins({}));
    headers.pages[file] = headers.policies.push(`${policy}; ${onlyInHeader}`) - 1;
  }
  await cp(folder, dist, { recursive: true });
  await writeFile(headersFile, JSON.stringify(headers));
  // The host takes a build by this file.
  await writeFile(join(dist, "build.json"), await readFile(join(dist, "build.json")));
  return (floor) => `/${nameOf(floor, heroes)}`;
}
