import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { demoFolder } from "#scripts/shop-paths.ts";
import { fillTimes } from "#src/content/format.ts";

/** Entries whose times are days from now. */
const own = join(import.meta.dirname, "../../fixtures/content");

/** Writes the shop that the browser tests require into a new folder: the demo's, with the tests' goods, passes, shows and tour. */
export function writeTestContent(folder: string, now = new Date()): void {
  cpSync(demoFolder, folder, { recursive: true, filter: (file) => !file.endsWith(".ts") });
  for (const path of ["goods", "package", ...globSync("*/*", { cwd: own })])
    rmSync(join(folder, path), { recursive: true, force: true });
  writeOwnEntries(folder, now);
}

/** Writes the entries of the tests alone. */
export function writeOwnEntries(folder: string, now: Date): void {
  cpSync(own, folder, { recursive: true });
  for (const path of globSync("*/*/*.md", { cwd: own })) {
    const file = join(folder, path);
    writeFileSync(file, fillTimes(readFileSync(file, "utf8"), now));
  }
}
