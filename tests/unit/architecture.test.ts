import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { locales } from "#i18n/locale.ts";
import { chunkGroups, chunkPaths } from "#src/build/chunks.ts";
import { bannedNames, composedClasses, styledClasses, styleSheets } from "#tests/support/rules/name-rules.ts";
import { findUnseenUtilities, getWord, parseImports, root, type Source, sources } from "#tests/support/rules/sources.ts";

const imports = sources().flatMap(parseImports);

/** Returns the files that `starts` accepts, and what they import. */
function reach(starts: (path: string) => boolean): Set<string> {
  const reached = new Set<string>();
  const follow = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const one of imports) if (one.from === path && one.ours && !one.typeOnly) follow(one.to);
  };
  for (const { path } of sources()) if (starts(path)) follow(path);
  return reached;
}

describe("sources that the server runs without a build", () => {
  const all = sources();
  const reached = reach((path) => path.startsWith("server/"));

  it("include files outside server/, all of them TypeScript or JSON but the entry, which older Node reads", () => {
    expect(reached).toContain("src/routes.ts");
    expect(reached).toContain("src/api/envelope.ts");
    expect([...reached].filter((path) => !/\.(ts|json)$/.test(path))).toEqual(["server/index.js"]);
  });

  it("use nothing of Astro, Vite or React", () => {
    const texts = all.filter(({ path }) => reached.has(path));
    expect(texts.filter(({ text }) => /import\.meta\.env/.test(text)).map(({ path }) => path)).toEqual([]);
    const packages = imports.filter(({ from, ours }) => reached.has(from) && !ours).map(({ to }) => to);
    expect(packages.filter((name) => /^(astro|virtual|~|vite|react)/.test(name))).toEqual([]);
  });
});

it("what a shop runs, which is installed alone, imports no development package", () => {
  const commands = /^scripts\/(start|build|preview|publish|catalogue|new|mini-program|operator-command)\.ts$/;
  const reached = reach((path) => commands.test(path) || /^(src|server)\//.test(path));
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const used = imports.filter(
    ({ from, to, ours, typeOnly }) => reached.has(from) && !ours && !typeOnly && to in devDependencies,
  );
  expect(used.map(({ from, to }) => `${from}: ${to}`)).toEqual([]);
});

it("paths that climb stay in their feature, module or folder; other imports begin with #, which the rules of Biome read", () => {
  const getRoom = (path: string) => /^(src\/features|server\/modules|[^/]+)\/[^/]+(?=\/)|^[^/]+/.exec(path)?.[0];
  const climbing = imports.filter(({ from, to, relative }) => relative && to.includes("/") && !to.startsWith(dirname(from)));
  const wrong = climbing.filter(({ from, to }) => getRoom(from) !== getRoom(to));
  expect(wrong.map(({ from, to }) => `${from}: ${to}`)).toEqual([]);
});

const styled = styledClasses();

describe("style sheets", () => {
  const sheets = styleSheets("src", "server");

  it("have at most 1,600 lines in all: most styles are utilities in the markup", () => {
    expect(sheets.reduce((sum, css) => sum + css.trimEnd().split("\n").length, 0)).toBeLessThanOrEqual(1600);
  });

  it("are files: a style element holds a shop's colors or one of the files, and no string holds rules", () => {
    const own = /<style(?! is:inline set:html=)[^>]*>(?!\$\{|")|["'`][^"'`]*\{[a-z][a-z-]*:[^}"'`]+;[a-z][a-z-]*:[^}"'`]+\}/;
    const faults = sources().filter(({ path, text }) => /^(src|server)\//.test(path) && own.test(text));
    expect(faults.map(({ path }) => path)).toEqual([]);
  });

  it("name at most 8 classes with three letters or fewer", () => {
    const short = [...styledClasses(sheets)].filter((name) => name.length <= 3);
    expect(short.length, short.join(" ")).toBeLessThanOrEqual(8);
  });
});

it("class names are written whole in the sources, where the purge of unused styles finds them", () => {
  const browser = sources().filter(({ path }) => path.startsWith("src/") && !path.startsWith("src/build/"));
  expect(styled.size).toBeGreaterThan(50);
  expect(browser.flatMap((source) => composedClasses(source, styled))).toEqual([]);
}, 15_000);

describe("utilities", () => {
  const markup = () => sources().filter(({ path }) => /^src\/.*\.(astro|tsx)$/.test(path));

  it("are seen by Tailwind where the sources name them", async () => {
    expect(await findUnseenUtilities(markup())).toEqual([]);
  }, 30_000);
});

it("names of files and identifiers use the words of the glossary in CONTRIBUTING.md and none that it replaces", {
  timeout: 60_000,
}, () => {
  expect(sources().flatMap(bannedNames)).toEqual([]);
});

type Language = Record<string, string>;
type Catalogue = Record<string, Language>;

/** Texts that are the same in both languages: names and protocol texts. */
const sameInBothLanguages = new Set(["500 Internal Server Error"]);
/** Texts for readers of the other language. */
const otherLanguage = /^frame\.other/;
const han = /\p{Script=Han}|[\u3000-\u303f\uff00-\uffef]/u;

/** Words that the glossary has others for. */
const replacedWords = [
  ["会员证", "通行证"],
  ["登记", "预约"],
] as const;

/** Returns the faults of a catalogue, each as a sentence. */
function findTextFaults(name: string, texts: Catalogue): string[] {
  const { "zh-CN": chinese = {}, "en-US": english = {} } = texts;
  const keys = [...new Set([...Object.keys(chinese), ...Object.keys(english)])];
  return keys.flatMap((key) => {
    const [zh = "", en = ""] = [chinese[key], english[key]];
    const faults: string[] = [];
    if (!zh.trim() || !en.trim()) faults.push("lacks a text");
    if (getPlaceholders(zh) !== getPlaceholders(en)) faults.push("has other placeholders in one language than in the other");
    if (han.test(en) && !otherLanguage.test(`${name}.${key}`)) faults.push("has Chinese in its English text");
    if (zh === en && /[a-z]{2}/i.test(zh) && !sameInBothLanguages.has(zh)) faults.push("is the same in both languages");
    for (const [word, other] of replacedWords) if (zh.includes(word)) faults.push(`says ${word} for ${other}`);
    if (zh !== zh.trim() || en !== en.trim()) faults.push("has space at an end");
    return faults.map((fault) => `${name}.${key} ${fault}`);
  });
}

function getPlaceholders(text: string): string {
  return Array.from(text.matchAll(/\{\w+\}/g), ([placeholder]) => placeholder)
    .sort()
    .join();
}

function isCatalogue(value: unknown): value is Catalogue {
  return typeof value === "object" && value !== null && locales.every((locale) => locale in value);
}

const files = readdirSync(join(root, "i18n")).filter((name) => !["locale.ts", "catalogue.ts"].includes(name));
const modules = await Promise.all(
  files.map(async (file) => {
    const exported: Record<string, unknown> = await import(pathToFileURL(join(root, "i18n", file)).href);
    return {
      file,
      catalogues: Object.entries(exported).filter((entry): entry is [string, Catalogue] => isCatalogue(entry[1])),
    };
  }),
);

describe("texts", () => {
  it.each(modules)("$file exports a catalogue of the same name", ({ file, catalogues }) => {
    expect(catalogues.map(([name]) => name)).toContain(
      file.replace(/\.ts$/, "").replace(/-(\w)/g, (_, first: string) => first.toUpperCase()),
    );
  });

  it.each(modules)("$file has all texts in both languages", ({ catalogues }) => {
    expect(catalogues.flatMap(([name, texts]) => findTextFaults(name, texts))).toEqual([]);
  });
});

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
  "carrier",
  "shipping",
  "search",
];

/** The folders whose files are named by these words, each with its other files. */
const folders: Record<string, string[]> = {
  "src/features": ["gallery"],
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
  i18n: ["locale", "language-offer", "catalogue", "frame", "page", "state", "mini-program", "response-code", "ui", "docs"],
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

it("every file follows the rules that Biome cannot check", () => {
  const faults = all.filter(({ path }) => path !== "tests/unit/architecture.test.ts").flatMap(findFaults);
  expect(faults.filter((fault) => !exceptions.has(fault))).toEqual([]);
});

it.each(Object.keys(folders))("file names in %s use the product's words", (folder) => {
  const paths = all.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`));
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !isNamed(path, folder))).toEqual([]);
});

it.each(Object.entries(chunkPaths))("every file of the chunk group %s exists and matches its group", (group, paths) => {
  const files = paths.filter((path) => /\.tsx?$/.test(path));
  const test = chunkGroups.find(({ name }) => name === group)?.test;
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(files.filter((file) => !test?.test(join(root, file)))).toEqual([]);
});
