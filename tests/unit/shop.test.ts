import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "astro/zod";
import { afterAll, describe, expect, it } from "vitest";
import { locales } from "#i18n/locale.ts";
import { callerFolder, demoFolder, describeShop, findShop } from "#scripts/shop-paths.ts";
import { createEditorConfig, type EditorField } from "#src/content/editor.ts";
import { readShop } from "#src/content/read.ts";
import { kindNames, kinds, site } from "#src/content/schema/kinds.ts";
import { createSiteFile, readTemplate, templateKinds } from "#src/content/templates.ts";
import { getContacts, getRegistrations } from "#src/layouts/frame-links.ts";
import { type Accent, getContrast, grounds, toAccentRules, toGroundRule } from "#src/lib/accent.ts";
import { root } from "#tests/support/rules/sources.ts";

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

it.each(Object.entries(templateKinds))("the template of %s and a new shop's site.yaml have no faults", async (name, kind) => {
  const folder = createFolder(`template-${name}`);
  writeFileSync(join(folder, "site.yaml"), createSiteFile("new-shop"));
  writeFileSync(join(folder, "mark.svg"), readTemplate("mark.svg"));
  mkdirSync(join(folder, kind, "one"), { recursive: true });
  for (const locale of locales)
    writeFileSync(join(folder, kind, "one", `index.${locale}.md`), readTemplate(`${name}.${locale}.md`));
  cpSync(join(root, "src/content/about"), join(folder, "about"), { recursive: true });
  expect((await readShop(folder)).faults).toEqual([]);
});

describe("the operator's contact", () => {
  it.each([
    ["hello@entrance.example", "mailto:hello@entrance.example"],
    ["+86 21 6000 0000", "tel:+862160000000"],
    ["https://entrance.example/contact", "https://entrance.example/contact"],
    ["上海市徐汇区龙腾大道 1 号", null],
    ["javascript:alert(1)", null],
  ])("links %s", (text, href) => {
    expect(getContacts({ contact: ` ${text} ` })).toEqual([{ text, href }]);
  });

  it("links each line by itself", () => {
    expect(getContacts({ contact: "hello@entrance.example\n\n 1 River Street \r\n+86 21 6000 0000\n" })).toEqual([
      { text: "hello@entrance.example", href: "mailto:hello@entrance.example" },
      { text: "1 River Street", href: null },
      { text: "+86 21 6000 0000", href: "tel:+862160000000" },
    ]);
  });

  it.each([undefined, "", "  "])("is hidden when unset: %j", (value) => {
    expect(getContacts(value === undefined ? {} : { contact: value })).toEqual([]);
  });
});

describe("record numbers", () => {
  it("are hidden when unset", () => {
    expect(getRegistrations({ icp: "", security_record: " " })).toEqual([]);
    expect(getRegistrations({})).toEqual([]);
  });

  it("link to their registers", () => {
    expect(getRegistrations({ icp: "京ICP证000001号", security_record: "京公网安备11010502030143号" })).toEqual([
      { text: "京ICP证000001号", href: "https://beian.miit.gov.cn/" },
      { text: "京公网安备11010502030143号", href: "https://beian.mps.gov.cn/#/query/webSearch?code=11010502030143" },
    ]);
  });
});

it("a campaign's texts are readable on the grounds that follow from its colour, by day and at night", () => {
  for (const color of ["#0b4f54", "#8a1c1c", "#5a5a5a", "#767676", "#1b3bff", "#000000", "#ff8db4", "#ffffff"]) {
    const tokens = parseRule(toGroundRule(".a", color), ".a");
    const { ground = "", "on-ground": text = "", "ground-pale": pale = "" } = tokens;
    expect(getContrast(text, ground)).toBeGreaterThanOrEqual(4.5);
    expect(getContrast(pale, tokens["ground-night"] ?? "#000000")).toBeGreaterThanOrEqual(7);
    for (const letters of ["#ffd21a", "#ffffff"])
      expect(getContrast(letters, tokens["ground-form"] ?? "#000000"), letters + color).toBeGreaterThanOrEqual(4.5);
  }
});

/** Returns the custom properties of the rule with this selector. */
function parseRule(css: string, selector: string): Record<string, string> {
  const body = css.split(`${selector}{`)[1]?.split("}")[0] ?? "";
  return Object.fromEntries(Array.from(body.matchAll(/--([\w-]+):(#[\da-f]{3,6})/g), ([, name = "", hex = ""]) => [name, hex]));
}

const accents: Accent[] = [
  { light: "#00774a", dark: "#2be38e" },
  { light: "#b3123b", dark: "#ff6f91" },
  { light: "#5b21b6", dark: "#a78bfa" },
  { light: "#6b6b6b", dark: "#7b7b7b" }, // Just readable on their grounds.
  { light: "#767100", dark: "#8d6bff" },
  { light: "#8a4b00", dark: "#f2a65a" },
];

describe("the colours that follow from a shop's accent", () => {
  it("are readable in both modes, whatever the accent", () => {
    for (const accent of accents) {
      for (const mode of ["light", "dark"] as const)
        expect(getContrast(accent[mode], grounds[mode])).toBeGreaterThanOrEqual(4.5);
      for (const selector of [":root", "[data-theme=dark]"]) {
        const tokens = parseRule(toAccentRules(accent), selector);
        const pairs = [
          ["on-accent", "accent"],
          ["on-accent", "accent-hover"],
          ["accent-ink", "wash"],
          ["on-sign", "sign"],
          ...(tokens.warn ? [["warn", "warn-wash"] as const] : []),
        ] as const;
        for (const [text, ground] of pairs)
          expect(getContrast(tokens[text] ?? "", tokens[ground] ?? ""), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        expect(getContrast(tokens["sign-2"] ?? "", tokens.sign ?? "")).toBeGreaterThanOrEqual(3);
      }
    }
  });

  it("make warnings yellow where the accent is amber, as they are else", () => {
    const changed = accents.map((accent) => /--warn:/.test(toAccentRules(accent)));
    expect(changed).toEqual([false, false, false, false, true, true]);
  });

  it("are set for the device's dark mode and for a forced one alike", () => {
    const css = toAccentRules({ light: "#5b21b6", dark: "#a78bfa" });
    expect(parseRule(css, ":root:not([data-theme=light])")).toEqual(parseRule(css, "[data-theme=dark]"));
    expect([parseRule(css, ":root").accent, parseRule(css, "[data-theme=dark]").accent]).toEqual(["#5b21b6", "#a78bfa"]);
  });
});

interface Collection {
  name: string;
  fields: EditorField[];
}

const { collections, singletons } = createEditorConfig("label");
const forms = new Map(
  [...(collections as Collection[]), ...(singletons as Collection[])].map(({ name, fields }) => [name, fields]),
);
const schemas = { ...kinds, site };

/** Returns the schema behind optional(), default() and transform(). */
function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return unwrap(schema.def.innerType);
  return schema instanceof z.ZodPipe ? unwrap(schema.def.in) : schema;
}

/** Lists the paths of a schema's fields, those in lists and objects too. */
function listPaths(schema: unknown, path = ""): string[] {
  const type = unwrap(schema);
  if (type instanceof z.ZodArray) return listPaths(type.def.element, path);
  if (!(type instanceof z.ZodObject)) return [];
  return Object.entries(type.def.shape).flatMap(([name, field]) => {
    const own = path ? `${path}.${name}` : name;
    return [own, ...listPaths(field, own)];
  });
}

/** Lists the fields of the editor by path. */
function listFields(fields: EditorField[], path = ""): [string, EditorField][] {
  return fields.flatMap((field) => {
    const own = path ? `${path}.${field.name}` : field.name;
    return [[own, field] as [string, EditorField], ...listFields((field.fields ?? []) as EditorField[], own)];
  });
}

const getField = (form: string, path: string) => new Map(listFields(forms.get(form) ?? [])).get(path);

describe("the editor's configuration", () => {
  it.each(["site", ...kindNames] as const)("has every field of %s, in both languages those that are words alone", (name) => {
    const { schema, words } = schemas[name];
    const fields = listFields(forms.get(name) ?? []).filter(([path]) => path !== "body");
    expect(fields.map(([path]) => path).sort()).toEqual(listPaths(schema).sort());
    const translated = fields.filter(([, { i18n }]) => i18n).map(([path]) => path);
    expect(translated.sort()).toEqual(listPaths(words).sort());
  });

  it("explains every field", () => {
    const unexplained = [...forms].flatMap(([form, fields]) =>
      listFields(fields).flatMap(([path, { hint }]) => (hint || path === "body" ? [] : [`${form}: ${path}`])),
    );
    expect(unexplained).toEqual([]);
  });

  it.each([
    ["event", "starts_at", { widget: "datetime", input_timezone: "Asia/Shanghai", i18n: false, required: true }],
    ["event", "status", { widget: "select", options: ["scheduled", "cancelled", "moved"], required: false }],
    ["event", "booking.early.level", { widget: "number", value_type: "int" }],
    ["event", "cover.file", { widget: "image", i18n: true, required: ["zh-CN"] }],
    ["event", "cover.alt", { widget: "string", i18n: true, required: false }],
    ["event", "line_up", { widget: "list", i18n: true }],
    ["goods", "skus.price", { widget: "number", value_type: "float", i18n: false }],
    ["goods", "on_sale", { widget: "boolean", default: true }],
    ["goods", "limit", { default: 5 }],
    ["campaign", "stops.city", { widget: "string", i18n: true }],
    ["campaign", "stops.places", { widget: "number", i18n: false }],
    ["news", "date", { widget: "datetime", type: "date" }],
    ["site", "accent.light", { widget: "color" }],
    ["site", "mark", { widget: "image", required: false }],
  ])("%s: %s has its widget", (form, path, expected) => {
    expect(getField(form, path)).toMatchObject(expected);
  });

  it("writes each entry's texts and pictures into the folder of its id", () => {
    for (const collection of collections as Record<string, unknown>[])
      expect(collection).toMatchObject({
        folder: collection.name,
        path: "{{slug}}/index",
        media_folder: "",
        public_folder: "",
      });
    expect(createEditorConfig("label")).toMatchObject({ i18n: { structure: "multiple_files", default_locale: "zh-CN" } });
  });
});
