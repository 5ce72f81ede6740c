import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chunkFiles, chunkGroups } from "../../src/build/chunks.ts";
import { getWord, root, type Source, sources } from "../support/rules/sources.ts";

const all = sources();

/** The product's words. Files of one word have the same name in every folder. */
const words = [
  "session",
  "concert",
  "campaign",
  "checkout",
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

  const faultySources: [fault: string, source: Source][] = [
    ["switches the compiler or the linter off", { path: "src/a.ts", text: "// @ts-expect-error\nlet a" }],
    ["switches the compiler or the linter off", { path: "src/a.ts", text: "// biome-ignore lint: x\nlet a" }],
    ["starts an island outside pages and layouts", { path: "src/features/a/A.astro", text: "<Button client:intent />" }],
    ["has a meaningless name", { path: "src/lib/utils.ts", text: "let a" }],
  ];
  it.each(faultySources)("findFaults reports a file that %s", (fault, source) => {
    expect(findFaults(source)).toEqual([`${source.path} ${fault}`]);
  });
});

describe("file names", () => {
  it.each(Object.keys(folders))("in %s use the product's words", (folder) => {
    const paths = all.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !isNamed(path, folder))).toEqual([]);
  });

  it("with another word for the same thing are rejected", () => {
    for (const path of ["src/features/cart/store.ts", "src/features/orders/store.ts", "src/features/profile/Profile.tsx"]) {
      expect(isNamed(path, "src/features")).toBe(false);
    }
    expect(isNamed("src/features/order/store.ts", "src/features")).toBe(true);
  });
});

/** The files in the project's folder that name exports of its sources. */
const configurations = ["astro.config.mjs", "playwright.config.ts", "vitest.config.ts"];

/** Returns the exported values that no other file names, each as a sentence. */
function findUnusedExports(files: Source[]): string[] {
  const paths = new Map<string, Set<string>>();
  for (const { path, text } of files)
    for (const [word] of text.matchAll(/[$\w]+/g)) paths.set(word, (paths.get(word) ?? new Set()).add(path));
  return files.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/^export (?:async )?(?:function\*?|const|let|class) ([$\w]+)/gm), ([, name = ""]) => name)
      .filter((name) => (paths.get(name)?.size ?? 0) < 2)
      .map((name) => `${path} exports ${name}`),
  );
}

describe("exports", () => {
  it("are named by another file", () => {
    const tools = configurations.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
    // The build puts the text of this one in place of Vite's.
    const replaced = "src/build/browser-code.ts exports __vitePreload";
    expect(findUnusedExports([...all, ...tools]).filter((fault) => fault !== replaced)).toEqual([]);
  });

  it("findUnusedExports reports an export that is used in its own file alone", () => {
    const files = [
      { path: "a.ts", text: "export const one = 1;\nexport function two() {}\nexport interface Three {}\none;" },
      { path: "b.ts", text: 'import { two } from "./a.ts";' },
    ];
    expect(findUnusedExports(files)).toEqual(["a.ts exports one"]);
  });
});

it.each(Object.entries(chunkFiles))("every file of the chunk group %s exists and matches its group", (group, files) => {
  const test = chunkGroups.find(({ name }) => name === group)?.test;
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(files.filter((file) => !test?.test(join(root, file)))).toEqual([]);
});
