import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCycles, findForbiddenImports } from "../support/import-rules.ts";
import { type Import, parseImports, root, sources } from "../support/sources.ts";

const imports = sources().flatMap(parseImports);
const createImport = (from: string, to: string, typeOnly = false): Import => ({ from, to, ours: true, typeOnly, lazy: false });

describe("import directions", () => {
  it("parseImports finds the imports of all sources", () => {
    expect(imports.length).toBeGreaterThan(200);
    expect(imports).toContainEqual(createImport("src/routes.ts", "i18n/locale.ts"));
  });

  it("every import follows the rules", () => {
    expect(findForbiddenImports(imports)).toEqual([]);
  });

  it.each([
    ["src/features/order/store.ts", "src/features/goods/price.ts"],
    ["src/features/order/Order.tsx", "src/features/goods/Goods.tsx"],
    ["src/features/order/store.ts", "src/layouts/Base.astro"],
    ["src/features/order/store.ts", "i18n/order.ts"],
    ["src/features/order/store.ts", "server/modules/order/routes.ts"],
    ["src/ui/Button.tsx", "src/features/order/store.ts"],
    ["src/ui/Button.tsx", "src/api/order.ts"],
    ["src/ui/Button.tsx", "src/routes.ts"],
    ["src/api/client.ts", "src/lib/resource.ts"],
    ["src/api/client.ts", "src/features/session/store.ts"],
    ["src/lib/resource.ts", "src/api/client.ts"],
    ["src/routes.ts", "i18n/order.ts"],
    ["i18n/order.ts", "src/routes.ts"],
    ["server/app.ts", "src/lib/format.ts"],
    ["server/app.ts", "src/features/order/rules.ts"],
    ["server/app.ts", "tests/support/test-server.ts"],
    ["src/pages/index.astro", "server/app.ts"],
    ["src/pages/index.astro", "src/build/page.ts"],
    ["src/build/postbuild.ts", "src/features/order/store.ts"],
    ["scripts/start.ts", "server/index.ts"],
    ["tests/unit/order.test.ts", "server/modules/order/routes.ts"],
    ["elsewhere/file.ts", "src/routes.ts"],
  ])("%s may not import %s", (from, to) => {
    expect(findForbiddenImports([createImport(from, to)])).toHaveLength(1);
  });

  it.each([
    createImport("src/features/order/Order.tsx", "src/features/goods/store.ts"),
    createImport("src/features/order/Order.tsx", "i18n/order.ts", true),
    createImport("server/modules/order/routes.ts", "src/api/order.ts"),
    createImport("tests/support/test-server.ts", "server/app.ts"),
  ])("$from may import $to", (one) => {
    expect(findForbiddenImports([one])).toEqual([]);
  });
});

describe("imports", () => {
  it("name existing files with their extension", () => {
    const ours = imports.filter(({ ours, from }) => ours && !/\.(mjs|js)$/.test(from));
    const file = (to: string) => to.replace(/\?.*$/, "");
    expect(ours.filter(({ to }) => !/\.\w+$/.test(file(to)) || !existsSync(join(root, file(to))))).toEqual([]);
  });

  it("use no aliases", () => {
    expect(imports.filter(({ to }) => /^([~@#]\/|\/|src\/)/.test(to) && to.startsWith("@/"))).toEqual([]);
  });

  it("have no cycles", () => {
    expect(findCycles(imports)).toEqual([]);
  });

  it("findCycles reports cycles of values and types, but not of dynamic imports", () => {
    const [there, back] = [createImport("a.ts", "b.ts"), createImport("b.ts", "a.ts")];
    expect(findCycles([there, back])).toEqual(["a.ts -> b.ts -> a.ts"]);
    expect(findCycles([there, { ...back, typeOnly: true }])).toEqual(["a.ts -> b.ts -> a.ts"]);
    expect(findCycles([there, { ...back, lazy: true }])).toEqual([]);
  });

  it("parseImports reads front matter and scripts of .astro files", () => {
    const text = `---\nimport a from "./a.ts";\nexport * from "./b.ts";\nimport type { C } from "./c.ts";\n---\n<script>import "./d.ts"; const e = await import("./e.ts");</script><script is:inline>import "./no.ts"</script>`;
    const parsed = parseImports({ path: "src/pages/x.astro", text });
    expect(parsed.map(({ to, typeOnly }) => [to, typeOnly])).toEqual([
      ["src/pages/a.ts", false],
      ["src/pages/b.ts", false],
      ["src/pages/c.ts", true],
      ["src/pages/d.ts", false],
      ["src/pages/e.ts", false],
    ]);
  });
});

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
