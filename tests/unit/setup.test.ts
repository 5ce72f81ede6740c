import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findDownloaded } from "../../scripts/browser.mjs";
import { completeLock, findMissingEntries, findUnhashed } from "../../scripts/complete-lock.mjs";
import { findInstallProblem, hasDevelopmentPackages } from "../../scripts/setup.mjs";
import { writeFiles } from "../support/content/site.ts";
import { root } from "../support/rules/sources.ts";

const lock = (packages: Record<string, object>) => JSON.stringify({ lockfileVersion: 3, packages });
const required = {
  "": { name: "made-up" },
  "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
  "node_modules/dev": { version: "2.0.0", integrity: "sha512-d", dev: true },
  "node_modules/mac": { version: "3.0.0", integrity: "sha512-m", optional: true },
};
const { "": _, "node_modules/mac": mac, ...installed } = required;
const files = {
  "package-lock.json": lock(required),
  "node_modules/.package-lock.json": lock(installed),
  "node_modules/a/package.json": "{}",
  "node_modules/dev/package.json": "{}",
};

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "setup-"));
  writeFiles(folder, files);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("missing packages", () => {
  it("are none when everything for this system is installed", () => {
    expect(findInstallProblem(folder, true)).toBeNull();
  });

  it("are none when more is installed", () => {
    writeFiles(folder, {
      "node_modules/.package-lock.json": lock({ ...installed, "node_modules/mac": mac, "node_modules/b": mac }),
    });
    writeFiles(folder, { "node_modules/mac/package.json": "{}" });
    expect(findInstallProblem(folder, true)).toBeNull();
  });

  it("are none without development packages for what a shop runs", () => {
    writeFiles(folder, { "node_modules/.package-lock.json": lock({ "node_modules/a": required["node_modules/a"] }) });
    expect(findInstallProblem(folder, false)).toBeNull();
    expect(findInstallProblem(folder, true)).toBe("node_modules/dev is missing");
  });

  it("do not cost the development packages that are there", () => {
    expect(hasDevelopmentPackages(folder)).toBe(true);
    writeFiles(folder, { "node_modules/.package-lock.json": lock({ "node_modules/a": required["node_modules/a"] }) });
    expect(hasDevelopmentPackages(folder)).toBe(false);
  });

  it.each([
    [
      "no install, or one that was broken off",
      () => rmSync(join(folder, "node_modules/.package-lock.json")),
      "no packages are installed",
    ],
    [
      "a package that was not there before",
      () => writeFiles(folder, { "package-lock.json": lock({ ...required, "node_modules/new": { version: "1.0.0" } }) }),
      "node_modules/new is missing",
    ],
    [
      "a development package left out",
      () => writeFiles(folder, { "node_modules/.package-lock.json": lock({ "node_modules/a": required["node_modules/a"] }) }),
      "node_modules/dev is missing",
    ],
    [
      "another version",
      () => writeFiles(folder, { "package-lock.json": lock({ "node_modules/a": { version: "1.0.1" } }) }),
      "node_modules/a is not 1.0.1",
    ],
    [
      "the same version with another content",
      () =>
        writeFiles(folder, { "package-lock.json": lock({ "node_modules/a": { version: "1.0.0", integrity: "sha512-x" } }) }),
      "node_modules/a is not 1.0.0",
    ],
    [
      "a folder that was removed",
      () => rmSync(join(folder, "node_modules/a"), { recursive: true }),
      "node_modules/a is incomplete",
    ],
  ])("are reported for %s", (_, change, reason) => {
    change();
    expect(findInstallProblem(folder, true)).toBe(reason);
  });
});

describe("the lock file", () => {
  const projectLock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const system = { version: "1.0.0", integrity: "sha512-s", optional: true };

  it("contains the optional packages of every system, as npm ci requires", () => {
    expect(findMissingEntries(projectLock)).toEqual({});
  });

  it("contains a hash of every package", () => {
    expect(findUnhashed(projectLock)).toEqual([]);
  });

  it("contains the registry's address of every package, without which npm asks for the metadata of each", () => {
    const packages = Object.entries<{ resolved?: string; inBundle?: boolean }>(projectLock.packages);
    const without = packages.filter(
      ([path, { resolved, inBundle }]) => path && !inBundle && !resolved?.startsWith("https://registry.npmjs.org/"),
    );
    expect(without).toEqual([]);
  });

  it("contains a Node binary of version 24 for the usual systems", () => {
    const systems = ["bin-darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win-x64"];
    for (const name of systems)
      expect(projectLock.packages[`node_modules/node-${name}`], name).toMatchObject({
        version: expect.stringMatching(/^24\./),
        optional: true,
      });
  });

  it("names only packages with install scripts that package.json denies, as setup runs none", () => {
    const { allowScripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const withScripts = Object.entries<{ hasInstallScript?: boolean }>(projectLock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/.*node_modules\//, ""));
    expect(Object.fromEntries(withScripts.map((name) => [name, false]))).toEqual(allowScripts);
  });

  it("that lacks optional packages is reported, nested ones included", () => {
    const packages = {
      "node_modules/a": {
        optionalDependencies: { "@a/win32-arm64-msvc": "1.0.0", "@a/linux-x64-musl": "1.0.0", "@a/here": "1.0.0" },
      },
      "node_modules/a/node_modules/@a/here": {},
      "node_modules/a/node_modules/b": { optionalDependencies: { "@a/here": "1.0.0" } },
      "node_modules/c": { optionalDependencies: { "@a/here": "^2.0.0" } },
    };
    expect(findMissingEntries({ packages })).toEqual({
      "node_modules/@a/win32-arm64-msvc": "1.0.0",
      "node_modules/@a/linux-x64-musl": "1.0.0",
      "node_modules/@a/here": "2.0.0",
    });
  });

  it("gets its missing packages back from the last commit, and what has no hash is reported", () => {
    const dependent = { version: "1.0.0", integrity: "sha512-a", optionalDependencies: { mac: "1.0.0", win: "2.0.0" } };
    const lock = { packages: { "": {}, "node_modules/a": dependent, "node_modules/b": { version: "1.0.0" } } };
    const earlier = { packages: { "node_modules/mac": system, "node_modules/win": system } };
    const { completed, added, lacking } = completeLock(lock, earlier);
    expect(completed.packages).toEqual({ ...lock.packages, "node_modules/mac": system });
    expect(added).toBe(1);
    expect(lacking).toEqual(["win@2.0.0", "b@1.0.0"]);
  });

  it("needs no hash of what a package bundles", () => {
    expect(
      findUnhashed({ packages: { "": {}, "node_modules/a/node_modules/b": { version: "1.0.0", inBundle: true } } }),
    ).toEqual([]);
  });
});

describe("setup", () => {
  const runSetup = (env: Record<string, string>, ...args: string[]) =>
    spawnSync(process.execPath, ["scripts/setup.mjs", ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      encoding: "utf8",
    });

  it("prints nothing when all packages are installed, and what is there with --verbose", () => {
    expect(runSetup({})).toMatchObject({ status: 0, stdout: "", stderr: "" });
    const { status, stderr } = runSetup({}, "--verbose");
    expect(status).toBe(0);
    expect(stderr).toMatch(/^Packages: as in package-lock\.json\.\nNode: .+\.\n$/);
  });

  it("ends with status 1 and a sentence when CHROMIUM_PATH names no file", () => {
    const { status, stderr } = runSetup({ CHROMIUM_PATH: join(folder, "none") }, "--browser");
    expect(stderr).toBe(`CHROMIUM_PATH is ${join(folder, "none")}, which does not exist.\n`);
    expect(status).toBe(1);
  });
});

describe("browsers that Playwright has downloaded", () => {
  it("are found with the headless shell first, then the newest", () => {
    const paths = [
      "chromium_headless_shell-1255/chrome-headless-shell-linux64/chrome-headless-shell",
      "chromium-1255/chrome-linux64/chrome",
      "chromium-999/chrome-mac/Chromium.app/Contents/MacOS/Chromium",
    ];
    writeFiles(folder, Object.fromEntries([...paths, "ffmpeg-1013/ffmpeg-linux"].map((path) => [`cache/${path}`, ""])));
    expect(findDownloaded(join(folder, "cache"))).toEqual(paths.map((path) => join(folder, "cache", path)));
  });

  it("are none without a cache", () => {
    expect(findDownloaded(join(folder, "cache"))).toEqual([]);
  });
});
