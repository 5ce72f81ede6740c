import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { locales } from "../../i18n/locale.ts";
import { callerFolder, demoFolder, describeShop, findShop } from "../../scripts/shop.ts";
import { formatFields, formatMarkdown } from "../../src/content/format.ts";
import { readShop } from "../../src/content/read.ts";
import { createSiteFields, mark, templates } from "../../src/content/templates.ts";
import { root } from "../support/rules/sources.ts";

const parent = realpathSync(mkdtempSync(join(tmpdir(), "shops-")));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

function createFolder(name: string): string {
  mkdirSync(join(parent, name), { recursive: true });
  return join(parent, name);
}

it("the demo is the shop without CONTENT_DIR, with the project's own dist and .data and with demo members", () => {
  const { folder, isDemo, dist, data, env } = findShop({ CONTENT_DIR: "" });
  expect([folder, isDemo, dist, data]).toEqual([realpathSync(demoFolder), true, join(root, "dist"), join(root, ".data")]);
  expect(env.DEMO).toBe("true");
  expect(findShop({ DATABASE_URL: "postgres://localhost/shop" }).env.DEMO).toBe("false");
});

it("two shops whose folders have the same name share neither data nor site nor caches", () => {
  const shops = ["a/label", "b/label"].map((name) => describeShop(createFolder(name)));
  const folders = shops.flatMap(({ dist, data, cache }) => [dist, data, cache]);
  expect(new Set(folders).size).toBe(6);
  for (const folder of folders) expect(folder.startsWith(join(root, ".shops", "label-"))).toBe(true);
  for (const { isDemo, env } of shops) expect({ isDemo, DEMO: env.DEMO }).toEqual({ isDemo: false, DEMO: "false" });
});

it("CONTENT_DIR is relative to the caller, and a link to a shop is that shop", () => {
  const folder = createFolder("linked");
  symlinkSync(folder, join(parent, "link"));
  expect(findShop({ CONTENT_DIR: join(parent, "link") })).toEqual(describeShop(folder));
  expect(findShop({ CONTENT_DIR: "." }).folder).toBe(realpathSync(callerFolder));
});

it("the operator's socket of a shop with a long name has a path that a system accepts", () => {
  const { data } = describeShop(createFolder(`${"唱片".repeat(15)}-${"label".repeat(20)}`));
  const inside = data.slice(root.length);
  expect(Buffer.byteLength(join(inside, "operator.sock"))).toBeLessThanOrEqual(50);
});

it("SITE_DIR and DATA_DIR win over the shop's own folders", () => {
  const { dist, data } = describeShop(createFolder("own"), { SITE_DIR: "site", DATA_DIR: "/var/shop" });
  expect([dist, data]).toEqual([join(root, "site"), "/var/shop"]);
});

it.each(Object.keys(templates))("the template of %s and a new shop's site.yaml have no faults", async (name) => {
  const folder = createFolder(`template-${name}`);
  const { kind, fields, body } = templates[name]?.(new Date()) ?? expect.fail();
  writeFileSync(join(folder, "site.yaml"), formatFields({ ...createSiteFields("new-shop") }));
  writeFileSync(join(folder, "mark.svg"), mark);
  mkdirSync(join(folder, kind, "one"), { recursive: true });
  for (const locale of locales)
    writeFileSync(join(folder, kind, "one", `index.${locale}.md`), formatMarkdown(fields[locale], body[locale]));
  cpSync(join(root, "src/content/about"), join(folder, "about"), { recursive: true });
  expect((await readShop(folder)).faults).toEqual([]);
});
