// Runs before the other commands and before any package is installed: plain JavaScript for Node 20 or later.
// Installs what a shop runs on; with `--development` also what checks and tests need, with `--browser` their browser and fonts
// too; with `--verbose` it prints what is there already.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findBrowser } from "./browser.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Returns how the installed packages differ from package-lock.json, or null; development packages count only with `isDevelopment`.
 * npm writes its record last, so an aborted install has none.
 */
export function findInstallProblem(folder, isDevelopment) {
  const record = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return "no packages are installed";
  const locked = packages(join(folder, "package-lock.json"));
  const installed = packages(record);
  for (const [path, { version, integrity, dev, optional, devOptional, peer, link }] of Object.entries(locked)) {
    if (path === "" || link || (dev && !isDevelopment)) continue;
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

/** Returns whether development packages are installed. */
export function hasDevelopmentPackages(folder) {
  const record = join(folder, "node_modules", ".package-lock.json");
  return existsSync(record) && Object.values(packages(record)).some(({ dev }) => dev);
}

function packages(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages ?? {};
}

const isVerbose = process.argv.includes("--verbose");
const needsBrowser = process.argv.includes("--browser");
const isDevelopment = needsBrowser || process.argv.includes("--development");
const log = (message) => isVerbose && console.error(message);

/** Runs a command in the project's folder; returns whether it ends with status 0. */
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
  const reason = findInstallProblem(root, isDevelopment);
  if (!reason) return log("Packages: as in package-lock.json.");
  // `npm ci` empties the folder: development packages are added beside those that a running shop reads.
  const command = findInstallProblem(root, false) === null ? ["install", "--no-save"] : ["ci"];
  // No package needs its install script: binaries are packages of their own, with a hash in the lock. A shop starts sooner
  // without the development packages, which are half of all files.
  const hasDevelopment = isDevelopment || hasDevelopmentPackages(root);
  command.push("--ignore-scripts", `--${hasDevelopment ? "include" : "omit"}=dev`);
  console.error(`Installing packages (${reason}): npm ${command.join(" ")}`);
  if (!run("npm", [...command, "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"]))
    stop("npm failed: see above. Check the network and the registry.");
}

/** Stops when neither a package nor this process is a Node that runs TypeScript. */
function checkNode() {
  const folder = join(root, "node_modules", ".bin");
  const installed = ["node", "node.cmd"].map((name) => join(folder, name)).find((file) => existsSync(file));
  if (installed) return log(`Node: ${relative(root, installed)}.`);
  if (Number(process.versions.node.split(".")[0]) < 24)
    stop(`There is no Node package for ${process.platform}-${process.arch}: install Node 24 and run this command again.`);
  log(`Node: ${process.execPath}.`);
}

const hasFont = (pattern) => Boolean(spawnSync("fc-list", [pattern], { encoding: "utf8" }).stdout?.trim());
const hasApt = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
const aptEnvironment = { DEBIAN_FRONTEND: "noninteractive" };
let isAptUpdated = false;

function installWithApt(...names) {
  if (!isAptUpdated) isAptUpdated = run("apt-get", ["update", "-qq"], aptEnvironment);
  return run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], aptEnvironment);
}

function installFonts() {
  if (process.platform !== "linux") return;
  const fonts = [];
  // For Chinese text, and for the fallback of the display face.
  if (!hasFont(":lang=zh-cn")) fonts.push("fonts-noto-cjk");
  if (!hasFont("Liberation Sans")) fonts.push("fonts-liberation");
  if (fonts.length === 0) return log("Fonts: Chinese and Liberation Sans are installed.");
  const command = `apt-get install -y fontconfig ${fonts.join(" ")}`;
  if (!hasApt()) stop(`The browser tests need fonts, which only root may install: sudo ${command}`);
  console.error(`Installing fonts for the browser tests: ${command}`);
  if (!installWithApt("fontconfig", ...fonts)) stop(`Could not install the fonts: see above.`);
}

const playwright = join("node_modules", "@playwright", "test", "cli.js");
/** A download lacks libraries on a system without a desktop. */
const starts = (browser) => process.platform === "win32" || spawnSync(browser, ["--version"]).status === 0;
// Not every system packages the headless shell.
const debianBrowsers = ["chromium-headless-shell", "chromium"];

function installBrowser() {
  const browser = findBrowser();
  if (browser) return log(`Browser: ${browser}.`);
  console.error("Installing a browser for the browser tests (none was found): npx playwright install --only-shell chromium");
  if (run(process.execPath, [playwright, "install", "--only-shell", "chromium"])) {
    const downloaded = findBrowser();
    if (downloaded && starts(downloaded)) return;
    const libraries = [playwright, "install-deps", "chromium"];
    if (downloaded && hasApt() && run(process.execPath, libraries) && starts(downloaded)) return;
    stop("The browser does not start; install its libraries: sudo npx playwright install-deps chromium");
  }
  const command = `apt-get install -y ${debianBrowsers[0]}`;
  if (!hasApt())
    stop(`Playwright's download failed: see above. As root run: ${command} (or chromium), or set CHROMIUM_PATH to a Chromium.`);
  console.error(`Playwright's download failed. Installing the system's browser: ${command}`);
  if (!debianBrowsers.some((name) => installWithApt(name))) stop("Could not install a browser: see above. Set CHROMIUM_PATH.");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  installPackages();
  checkNode();
  if (needsBrowser) {
    try {
      installBrowser();
      installFonts();
    } catch (error) {
      stop(error.message);
    }
  }
}
