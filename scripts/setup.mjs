// Runs before start, dev, build and test, before any package is installed: plain JavaScript for Node 18 or later.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findBrowser } from "./browser.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Returns how the installed packages differ from package-lock.json, or null. npm writes its record last, so an aborted install has none. */
export function findInstallProblem(folder) {
  const record = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return "no packages are installed";
  const locked = packages(join(folder, "package-lock.json"));
  const installed = packages(record);
  for (const [path, { version, integrity, optional, devOptional, peer, link }] of Object.entries(locked)) {
    if (path === "" || link) continue;
    const installedPackage = installed[path];
    if (!installedPackage) {
      // npm skips packages for other systems.
      if (optional || devOptional || peer) continue;
      return `${path} is missing`;
    }
    if (
      installedPackage.version !== version ||
      (integrity && installedPackage.integrity && installedPackage.integrity !== integrity)
    )
      return `${path} is not ${version}`;
    if (!existsSync(join(folder, path, "package.json"))) return `${path} is incomplete`;
  }
  return null;
}

function packages(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages ?? {};
}

function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    // Standard output belongs to the next command.
    stdio: ["ignore", 2, 2],
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  });
  return !error && status === 0;
}

function stop(message) {
  console.error(message);
  process.exit(1);
}

function installPackages() {
  const reason = findInstallProblem(root);
  if (!reason) return;
  console.error(`Installing packages (${reason}): npm ci`);
  // Builds require the development packages, with NODE_ENV=production too.
  if (!run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"])) {
    stop("npm ci failed: see above. Check the network and the registry.");
  }
}

const hasFont = (pattern) => Boolean(spawnSync("fc-list", [pattern], { encoding: "utf8" }).stdout?.trim());
const hasApt = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

// Not every system packages the headless shell.
const browsers = ["chromium-headless-shell", "chromium"];

function installBrowser() {
  const needsBrowser = !findBrowser();
  const fonts = [];
  if (process.platform === "linux") {
    // For Chinese text, and for the fallback of the display face.
    if (!hasFont(":lang=zh-cn")) fonts.push("fonts-noto-cjk");
    if (!hasFont("Liberation Sans")) fonts.push("fonts-liberation");
  }
  if (!needsBrowser && fonts.length === 0) return;
  const missing = [...(needsBrowser ? ["chromium"] : []), ...fonts].join(" ");
  if (!hasApt()) {
    const message = `For the browser tests install: apt-get install -y ${missing} (or set CHROMIUM_PATH)`;
    if (needsBrowser) stop(message);
    console.error(message);
    return;
  }
  console.error(`Installing packages for the browser tests: ${missing}`);
  const quiet = { DEBIAN_FRONTEND: "noninteractive" };
  run("apt-get", ["update", "-qq"], quiet);
  const install = (...names) => run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], quiet);
  if (fonts.length > 0 && !install(...fonts)) stop(`Could not install ${fonts.join(" ")}`);
  if (needsBrowser && !browsers.some((name) => install(name))) stop("Could not install a browser");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  installPackages();
  if (process.argv.includes("--browser")) installBrowser();
}
