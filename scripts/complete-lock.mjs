// Runs after npm has changed the installed packages ("dependencies" in package.json). A registry mirror may lack packages for
// other systems; npm then omits them from the lock, which `npm ci` rejects on every system. Adds them again.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const systems = ["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "aix", "win32"];
const processors = ["arm64", "arm", "x64", "ia32", "wasm32", "riscv64", "loong64", "mips64el", "ppc64", "s390x"];

/** Returns the missing entries of a lock file, by path. */
export function findMissingEntries({ packages }) {
  const missing = {};
  for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (!resolves(packages, path, name)) missing[`node_modules/${name}`] = entry(name, version);
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

/** Returns an entry that npm skips on other systems; the name of the package contains its system. */
function entry(name, version) {
  const parts = name.split(/[/-]/);
  const filterNamed = (words) => words.filter((word) => parts.includes(word));
  const libc = parts.includes("musl") ? ["musl"] : parts.includes("gnu") ? ["glibc"] : [];
  const limits = Object.entries({ os: filterNamed(systems), cpu: filterNamed(processors), libc }).filter(
    ([, words]) => words.length > 0,
  );
  return { version: version.replace(/^[^\d]*/, ""), optional: true, ...Object.fromEntries(limits) };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const file = join(dirname(fileURLToPath(import.meta.url)), "..", "package-lock.json");
  const lock = JSON.parse(readFileSync(file, "utf8"));
  const added = findMissingEntries(lock);
  const count = Object.keys(added).length;
  if (count > 0) {
    lock.packages = Object.fromEntries(Object.entries({ ...lock.packages, ...added }).sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
    console.log(`package-lock.json: ${count} packages for other systems added.`);
  }
}
