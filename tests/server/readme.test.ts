import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { variables } from "../../server/config-table.ts";

const readme = readFileSync("README.md", "utf8");
const rows = new Map(
  Array.from(
    readme.matchAll(/^\| `([A-Z][A-Z0-9_]+)` *\| (.*?) *\| (.*?) *\|$/gm),
    ([, name = "", fallback = "", says = ""]) => [name, { fallback, says }],
  ),
);

describe("the README", () => {
  it.each(Object.entries(variables))("has %s in its table, with its default and what it does", (name, { fallback, says }) => {
    expect(rows.get(name)?.says).toBe(says);
    if (fallback) expect(rows.get(name)?.fallback.replaceAll("`", "")).toContain(fallback);
    else expect(rows.get(name)?.fallback).toBe("");
  });

  it("names no variable that nothing reads", () => {
    const code = ["src/build/policy.ts", "src/layouts/Footer.astro", "src/layouts/statistics.ts", "src/api/at-build.ts"]
      .map((file) => readFileSync(file, "utf8"))
      .join("");
    for (const name of rows.keys()) expect(name in variables || code.includes(name), name).toBe(true);
  });

  it("names folders and commands that there are", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    for (const [, name = ""] of readme.matchAll(/npm run (\w+)/g)) expect(scripts, name).toHaveProperty(name);
    const known = new Set([...readdirSync("."), ...readdirSync("src").map((one) => `src/${one}`)]);
    for (const [, folder = ""] of readme.matchAll(/^\| `([\w/.]+?)\/(?:<\w+>\/)?`/gm))
      expect(known.has(folder), folder).toBe(true);
  });
});
