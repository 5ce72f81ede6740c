import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chunkGroups, chunkPaths } from "../../src/build/chunks.ts";
import { getWord, root, type Source, sources } from "../support/rules/sources.ts";

const all = sources();

/** The product's words. Files of one word have the same name in every folder. */
const words = [
  "session",
  "concert",
  "campaign",
  "purchase",
  "goods",
  "package",
  "order",
  "address",
  "booking",
  "activity",
  "event",
  "news",
  "notification",
  "member",
  "region",
  "payment",
  "search",
];

/** The folders whose files are named by these words, each with its other files. */
const folders: Record<string, string[]> = {
  "src/features": [],
  "src/api": [
    "call",
    "client",
    "envelope",
    "fetch-at-build",
    "fetch-public",
    "login",
    "mobile",
    "paths",
    "problem",
    "render-key",
    "snapshot",
    "storage",
    "tab-storage",
    "contract",
  ],
  i18n: ["locale", "language-offer", "catalogue", "frame", "page", "state", "response-code", "ui", "docs"],
  "server/modules": ["catalogue", "audit"],
  "server/db/schema": ["column", "catalogue", "audit"],
};

function isNamed(path: string, folder: string): boolean {
  const name = getWord(path, folder);
  return (folders[folder] ?? []).includes(name) || words.some((word) => name === word || name.startsWith(`${word}-`));
}

/** Returns what Biome cannot report of a source, each fault as a sentence. */
function findFaults({ path, text }: Source): string[] {
  const faults: string[] = [];
  if (/@ts-(ignore|expect-error|nocheck)|biome-ignore|eslint-disable/.test(text))
    faults.push("switches the compiler or the linter off");
  if (/(^|\/)(utils?|helpers?|common|misc)\.[a-z]+$/.test(path)) faults.push("has a meaningless name");
  if (path.endsWith(".astro") && !/^src\/(pages|layouts)\//.test(path) && /\bclient:[a-z]+[ =/>]/.test(text))
    faults.push("starts an island outside pages and layouts");
  return faults.map((fault) => `${path} ${fault}`);
}

const exceptions = new Set([
  // The baseline that pages are measured against is a separate site.
  "bench/floor/src/pages/[floor].astro starts an island outside pages and layouts",
  // States its reason in place: browsers without a cookie store.
  "src/client/main.ts switches the compiler or the linter off",
]);

describe("every file", () => {
  it("follows the rules that Biome cannot check", () => {
    const faults = all.filter(({ path }) => path !== "tests/unit/architecture-files.test.ts").flatMap(findFaults);
    expect(faults.filter((fault) => !exceptions.has(fault))).toEqual([]);
  });
});

describe("file names", () => {
  it.each(Object.keys(folders))("in %s use the product's words", (folder) => {
    const paths = all.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !isNamed(path, folder))).toEqual([]);
  });
});

it.each(Object.entries(chunkPaths))("every file of the chunk group %s exists and matches its group", (group, paths) => {
  const files = paths.filter((path) => /\.tsx?$/.test(path));
  const test = chunkGroups.find(({ name }) => name === group)?.test;
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(files.filter((file) => !test?.test(join(root, file)))).toEqual([]);
});
