// `npm run setup`, and before start, dev, preview, editor, publish and tests: installs missing npm packages, with `--development` also those of checks and
// tests, with `--browser` also their browser and fonts. No package may be there yet, so this is plain JavaScript for Node 20 or later.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findBrowser } from "./find-browser.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Returns how the installed packages differ from package-lock.json; null if they do not. npm writes node_modules/.package-lock.json last: an aborted install has none. */
export function findInstallProblem(folder, isDevelopment) {
  const record = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return "no packages are installed";
  const installed = readPackages(record);
  for (const [path, locked] of Object.entries(readPackages(join(folder, "package-lock.json")))) {
    if (path === "" || (locked.dev && !isDevelopment)) continue;
    // npm leaves out optional packages for other systems.
    if (!installed[path] && !(locked.optional || locked.devOptional || locked.peer)) return `${path} is missing`;
    if (installed[path] && installed[path].version !== locked.version) return `${path} is not ${locked.version}`;
  }
  return null;
}

const readPackages = (file) => JSON.parse(readFileSync(file, "utf8")).packages;

/** Runs a command in the project's folder; returns whether it ends with status 0. Prints only to standard error: standard output belongs to the command that follows. */
function run(command, ...args) {
  console.error([command, ...args].join(" "));
  return spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2] }).status === 0;
}

function stop(message) {
  console.error(message);
  process.exit(1);
}

function installPackages(isDevelopment) {
  const reason = findInstallProblem(root, isDevelopment);
  if (!reason) return;
  console.error(`Installing packages: ${reason}`);
  // `npm ci` empties node_modules first. If only development packages are missing, `npm install` adds them and keeps what a running shop uses.
  const command = findInstallProblem(root, false) === null ? ["install", "--no-save"] : ["ci"];
  // Install scripts do not run, because no package needs one: binaries are packages of their own, with a hash in package-lock.json.
  // Development packages have half of all files: without them, a shop starts sooner.
  const withDevelopment = isDevelopment || existsSync(join(root, "node_modules", "vitest"));
  const options = ["--ignore-scripts", `--${withDevelopment ? "include" : "omit"}=dev`, "--include=optional"];
  if (!run("npm", ...command, ...options, "--no-audit", "--no-fund", "--loglevel=error")) stop("npm failed: see above.");
}

const isRoot = process.getuid?.() === 0;
/** Debian packages: fonts for Chinese text and for the fallback of the display face, and a browser in case Playwright's download fails. */
const systemPackages = ["fontconfig", "fonts-noto-cjk", "fonts-liberation", "chromium-headless-shell"];
const hasFonts = () => [":lang=zh-cn", "Liberation Sans"].every((font) => spawnSync("fc-list", [font]).stdout?.length > 0);

function installBrowser() {
  if (findBrowser() && (process.platform !== "linux" || hasFonts())) return;
  const options = ["install", "--only-shell", ...(isRoot && process.platform === "linux" ? ["--with-deps"] : []), "chromium"];
  if (run("npx", "playwright", ...options) && (process.platform !== "linux" || hasFonts())) return;
  const install = ["install", "-y", "-qq", "--no-install-recommends", ...systemPackages];
  if (isRoot && run("apt-get", "update", "-qq") && run("apt-get", ...install)) return;
  stop(
    `The browser tests need a Chromium and fonts. On Debian, as root: apt-get install ${systemPackages.join(" ")}; or set CHROMIUM_PATH.`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (process.platform === "win32")
    stop("This runs on Linux and macOS; on Windows, run it in WSL: https://learn.microsoft.com/windows/wsl/install");
  const needsBrowser = process.argv.includes("--browser");
  installPackages(needsBrowser || process.argv.includes("--development"));
  if (Number(process.versions.node.split(".")[0]) < 24 && !existsSync(join(root, "node_modules", ".bin", "node")))
    stop(`There is no Node package for ${process.platform}-${process.arch}: install Node 24 and run this command again.`);
  try {
    if (needsBrowser) installBrowser();
  } catch (error) {
    stop(error.message);
  }
}
