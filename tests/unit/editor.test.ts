import { z } from "astro/zod";
import { describe, expect, it } from "vitest";
import { createEditorConfig, type EditorField } from "../../src/content/editor.ts";
import { kindNames, kinds, site } from "../../src/content/schema/kinds.ts";

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
