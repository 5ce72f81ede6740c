import { describe, expect, it } from "vitest";
import { sources } from "../support/rules/sources.ts";
import { bannedNames } from "../support/rules/word-rules.ts";

const exemptPaths = ["tests/support/rules/word-rules.ts", "tests/unit/architecture-words.test.ts"];

describe("names of files and identifiers", () => {
  it("use the words of the glossary in CONTRIBUTING.md and none that it replaces", { timeout: 60_000 }, () => {
    const all = sources().filter(({ path }) => !exemptPaths.includes(path));
    expect(all.flatMap(bannedNames)).toEqual([]);
  });

  it.each([
    ["a participle", "src/a.ts", "const asked = 1;"],
    ["a participle inside a name", "src/a.ts", "function isWanted() {}"],
    ["a participle as a property", "src/a.ts", "interface A { written: string }"],
    ["a participle in front matter", "src/a.astro", "---\nconst { known } = Astro.props;\n---\n"],
    ["a participle as a key", "src/a.ts", "f({ asked: 1 });"],
    ["a participle as a type parameter", "src/a.ts", "function f<Asked>() {}"],
    ["a participle as an import's alias", "src/a.ts", "import { x as asked } from './x.ts';"],
    ["a participle in capitals", "src/a.ts", "const ASKED_AT = 1;"],
    ["a participle in markup", "src/a.astro", "---\n---\n{list.map((asked) => <p />)}"],
    ["a participle in an inline script", "src/a.astro", "<script is:inline>let asked;</script>"],
    ["a participle as a file", "src/lib/kept.ts", ""],
    ["a participle inside a file's name", "src/lib/lastKept.ts", ""],
    ["a participle as a folder", "src/asked/store.ts", ""],
    ["a function that ends in Of", "src/a.ts", "const wordsOf = () => [];"],
    ["a name that has been replaced", "server/a.ts", "export interface World {}"],
    ["a place that is a seat", "src/a.ts", "const place = 1;"],
    ["a form that is a prefix", "src/a.tsx", "interface Props { form: Prefix }"],
    ["a file that has been renamed", "src/features/order/PaidSlab.tsx", ""],
  ])("bannedNames reports %s", (_, path, text) => {
    expect(bannedNames({ path, text })).toHaveLength(1);
  });

  it.each([
    ["an HTML form", "const form = useRef<HTMLFormElement>(null);"],
    ["a name of a package", "import { asked } from 'elsewhere'; elsewhere.asked();"],
    ["a field of the wire", "send({ places_left: 1 })"],
    ["a word that only begins alike", "const formula = 1; const placement = 2;"],
  ])("bannedNames accepts %s", (_, text) => {
    expect(bannedNames({ path: "src/a.ts", text })).toEqual([]);
  });
});
