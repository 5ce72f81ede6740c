import { describe, expect, it } from "vitest";
import { exceptions, findViolations } from "../support/architecture-rules.ts";
import { getWord, type Source, sources } from "../support/sources.ts";

const all = sources();
const exemptPaths = ["tests/support/architecture-rules.ts", "tests/unit/architecture-files.test.ts"];

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
];

/** The folders whose files are named by these words, each with its other files. */
const folders: Record<string, string[]> = {
  "src/features": [],
  "src/api": [
    "call",
    "client",
    "envelope",
    "errors",
    "field",
    "fetch-at-build",
    "fetch-public",
    "headers",
    "login",
    "package-level",
    "paths",
    "postage",
    "problem",
    "storage",
    "tab-storage",
    "contract",
  ],
  i18n: ["locale", "catalogue", "frame", "page", "state", "response-code", "error", "ui", "docs", "docs-response-code"],
  "server/modules": [],
  "server/db/schema": ["column"],
};

function isNamed(path: string, folder: string): boolean {
  const name = getWord(path, folder);
  return (folders[folder] ?? []).includes(name) || words.some((word) => name === word || name.startsWith(`${word}-`));
}

describe("every file", () => {
  it("follows the architecture rules", () => {
    const faults = all.filter(({ path }) => !exemptPaths.includes(path)).flatMap(findViolations);
    expect(faults.filter((fault) => !exceptions.has(fault))).toEqual([]);
  });

  const faultySources: [fault: string, source: Source][] = [
    ["has over 250 lines", { path: "src/a.ts", text: "\n".repeat(260) }],
    ["uses any", { path: "src/a.ts", text: "let a: Record<string, any>" }],
    ["uses any", { path: "src/a.astro", text: "---\nconst a = x as any;\n---\n<p>any</p>" }],
    ["silences the compiler", { path: "src/a.ts", text: "const a = b as unknown as C" }],
    ["silences the compiler", { path: "src/a.ts", text: "const a = b as never" }],
    ["exports by default", { path: "src/a.ts", text: "export default 1" }],
    ["exports by default", { path: "src/a.tsx", text: "export default function A() { return <p /> }" }],
    ["switches the compiler or the linter off", { path: "src/a.ts", text: "// @ts-expect-error\nlet a" }],
    ["switches the compiler or the linter off", { path: "src/a.ts", text: "// biome-ignore lint: x\nlet a" }],
    ["mocks our own code", { path: "tests/unit/a.test.ts", text: `vi.mock("../../src/a.ts")` }],
    ["starts an island outside pages and layouts", { path: "src/features/a/A.astro", text: "<Button client:intent />" }],
    ["has a meaningless name", { path: "src/lib/utils.ts", text: "let a" }],
    ["only re-exports", { path: "src/ui/all.ts", text: `export * from "./a.ts"` }],
  ];
  it.each(faultySources)("findViolations reports a file that %s", (fault, source) => {
    expect(findViolations(source)).toContain(`${source.path} ${fault}`);
  });

  it("findViolations accepts a file that follows the rules", () => {
    const text = "const a = [1] as const; // any, by default, client:intent\nexport const b = a as readonly number[];";
    expect(findViolations({ path: "src/a.ts", text })).toEqual([]);
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
