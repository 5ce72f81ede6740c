// Runs after npm has changed the installed packages ("dependencies" in package.json). A registry mirror may lack packages for
// other systems; npm then omits them from the lock, which `npm ci` rejects on every system. Adds them again, with the hashes of
// the last commit; ends with status 1 when a package has none.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Returns the optional packages that a lock file lacks: names and versions, by path. */
export function findMissingEntries({ packages }) {
  const missing = {};
  for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (!resolves(packages, path, name)) missing[`node_modules/${name}`] = version.replace(/^[^\d]*/, "");
    }
  }
  return missing;
}

/** Resolves a package as Node does: beside its dependent, then in the parents. */
function resolves(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    if (packages[`${folder && `${folder}/`}node_modules/${name}`]) return true;
    if (!folder) return false;
  }
}

/** Returns the packages that npm would install without comparing a hash. What another package bundles has that one's. */
export function findUnhashed({ packages }) {
  return Object.entries(packages)
    .filter(([path, { integrity, link, inBundle }]) => path && !integrity && !link && !inBundle)
    .map(([path, { version }]) => `${path.replace(/.*node_modules\//, "")}@${version}`);
}

/** Returns `lock` with its missing entries, where `earlier` has them in the same version; the others are `lacking`. */
export function completeLock(lock, earlier) {
  const found = {};
  const lacking = [];
  for (const [path, version] of Object.entries(findMissingEntries(lock))) {
    const entry = earlier.packages[path];
    if (entry?.version === version) found[path] = entry;
    else lacking.push(`${path.slice("node_modules/".length)}@${version}`);
  }
  const packages = Object.entries({ ...lock.packages, ...found }).sort(([a], [b]) => a.localeCompare(b, "en"));
  const completed = { ...lock, packages: Object.fromEntries(packages) };
  return { completed, added: Object.keys(found).length, lacking: [...lacking, ...findUnhashed(completed)] };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  const file = join(root, "package-lock.json");
  const shown = spawnSync("git", ["show", "HEAD:./package-lock.json"], { cwd: root, maxBuffer: 2 ** 26, encoding: "utf8" });
  const committed = shown.status === 0 ? JSON.parse(shown.stdout) : { packages: {} };
  const { completed, added, lacking } = completeLock(JSON.parse(readFileSync(file, "utf8")), committed);
  if (added > 0) {
    writeFileSync(file, `${JSON.stringify(completed, null, 2)}\n`);
    console.log(`package-lock.json: ${added} packages for other systems added.`);
  }
  if (lacking.length > 0) {
    console.error(`The registry has no hash of ${lacking.join(", ")}: use the newest version that it holds for every system.`);
    process.exit(1);
  }
}
