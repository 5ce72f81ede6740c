import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findMissingEntries } from "../../scripts/complete-lock.mjs";
import { findInstallProblem } from "../../scripts/setup.mjs";
import { writeFiles } from "../support/site-fixture.ts";
import { root } from "../support/sources.ts";

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
    expect(findInstallProblem(folder)).toBeNull();
  });

  it("are none when more is installed", () => {
    writeFiles(folder, {
      "node_modules/.package-lock.json": lock({ ...installed, "node_modules/mac": mac, "node_modules/b": mac }),
    });
    writeFiles(folder, { "node_modules/mac/package.json": "{}" });
    expect(findInstallProblem(folder)).toBeNull();
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
    expect(findInstallProblem(folder)).toBe(reason);
  });
});

describe("the lock file", () => {
  it("contains the optional packages of every system, as npm ci requires", () => {
    expect(findMissingEntries(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")))).toEqual({});
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
      "node_modules/@a/win32-arm64-msvc": { version: "1.0.0", optional: true, os: ["win32"], cpu: ["arm64"] },
      "node_modules/@a/linux-x64-musl": { version: "1.0.0", optional: true, os: ["linux"], cpu: ["x64"], libc: ["musl"] },
      "node_modules/@a/here": { version: "2.0.0", optional: true },
    });
  });
});
