import { describe, expect, it } from "vitest";
import { sources } from "../support/sources.ts";
import { bannedNames } from "../support/word-rules.ts";

const exemptPaths = ["tests/support/word-rules.ts", "tests/unit/architecture-words.test.ts"];

describe("names of files and identifiers", () => {
  it("use the words of the glossary in CONTRIBUTING.md", () => {
    const all = sources().filter(({ path }) => !exemptPaths.includes(path));
    expect(all.flatMap(bannedNames)).toEqual([]);
  });

  it.each([
    ["a participle", "src/a.ts", "const asked = 1;"],
    ["a participle inside a name", "src/a.ts", "function isWanted() {}"],
    ["a participle as a property", "src/a.ts", "interface A { written: string }"],
    ["a participle in front matter", "src/a.astro", "---\nconst { known } = Astro.props;\n---\n"],
    ["a participle as a file", "src/lib/kept.ts", ""],
    ["a name that has been replaced", "server/a.ts", "export interface World {}"],
    ["a place that is a seat", "src/a.ts", "const place = 1;"],
    ["a form that is a prefix", "src/a.tsx", "interface Props { form: Prefix }"],
    ["a file that has been renamed", "src/features/order/PaidSlab.tsx", ""],
  ])("%s is found", (_, path, text) => {
    expect(bannedNames({ path, text })).toHaveLength(1);
  });

  it.each([
    ["an HTML form", "const form = useRef<HTMLFormElement>(null);"],
    ["a name of a package", "import { asked } from 'elsewhere'; elsewhere.asked();"],
    ["a field of the wire", "send({ places_left: 1 })"],
    ["a word that only begins alike", "const formula = 1; const placement = 2;"],
  ])("%s is allowed", (_, text) => {
    expect(bannedNames({ path: "src/a.ts", text })).toEqual([]);
  });
});
