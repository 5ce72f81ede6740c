import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findInstallProblem } from "#scripts/setup.mjs";
import { writeFiles } from "#tests/support/content/site.ts";
import { root } from "#tests/support/rules/sources.ts";

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
  ])("are reported for %s", (_, change, reason) => {
    change();
    expect(findInstallProblem(folder, true)).toBe(reason);
  });
});

describe("the lock file", () => {
  const projectLock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

  it("contains of every package a hash, and the registry's address, without which npm asks for the metadata of each", () => {
    const packages = Object.entries<{ resolved?: string; integrity?: string; inBundle?: boolean }>(projectLock.packages);
    const isComplete = ({ resolved, integrity }: { resolved?: string; integrity?: string }) =>
      integrity && resolved?.startsWith("https://registry.npmjs.org/");
    expect(packages.filter(([path, entry]) => path && !entry.inBundle && !isComplete(entry))).toEqual([]);
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
});

describe("setup", () => {
  const runSetup = (env: Record<string, string>, ...args: string[]) =>
    spawnSync(process.execPath, ["scripts/setup.mjs", ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      encoding: "utf8",
    });

  it("prints nothing when all packages are installed", () => {
    expect(runSetup({})).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  it("ends with status 1 and a sentence on Windows, before every command that is written for a Unix shell", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const names = Object.keys(scripts).filter((name) => /^(exec|export) /.test(scripts[name]));
    expect(names).toEqual(["start", "dev", "preview", "test", "test:long", "editor"]);
    for (const name of names) expect(scripts[`pre${name}`]).toMatch(/^node scripts\/setup\.mjs\b/);
    const asWindows = 'data:text/javascript,Object.defineProperty(process, "platform", { value: "win32" })';
    expect(
      spawnSync(process.execPath, ["--import", asWindows, "scripts/setup.mjs"], { cwd: root, encoding: "utf8" }),
    ).toMatchObject({
      status: 1,
      stdout: "",
      stderr: "This runs on Linux and macOS; on Windows, run it in WSL: https://learn.microsoft.com/windows/wsl/install\n",
    });
  });

  it("ends with status 1 and a sentence when CHROMIUM_PATH names no file", () => {
    const { status, stderr } = runSetup({ CHROMIUM_PATH: join(folder, "none") }, "--browser");
    expect(stderr).toBe(`CHROMIUM_PATH is ${join(folder, "none")}, which does not exist.\n`);
    expect(status).toBe(1);
  });
});
