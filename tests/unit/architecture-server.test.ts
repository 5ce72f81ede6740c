import { describe, expect, it } from "vitest";
import { parseImports, sources } from "../support/rules/sources.ts";

const imports = sources().flatMap(parseImports);

describe("sources that the server runs without a build", () => {
  const all = sources();
  const reached = new Set<string>();
  const follow = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const one of imports) if (one.from === path && one.ours && !one.typeOnly) follow(one.to);
  };
  for (const { path } of all) if (path.startsWith("server/")) follow(path);

  it("include files outside server/, all of them TypeScript or JSON", () => {
    expect(reached).toContain("src/routes.ts");
    expect(reached).toContain("src/api/envelope.ts");
    expect([...reached].filter((path) => !/\.(ts|json)$/.test(path))).toEqual([]);
  });

  it("use nothing of Astro, Vite or React", () => {
    const texts = all.filter(({ path }) => reached.has(path));
    expect(texts.filter(({ text }) => /import\.meta\.env/.test(text)).map(({ path }) => path)).toEqual([]);
    const packages = imports.filter(({ from, ours }) => reached.has(from) && !ours).map(({ to }) => to);
    expect(packages.filter((name) => /^(astro|virtual|~|vite|react)/.test(name))).toEqual([]);
  });
});
