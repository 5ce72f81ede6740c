import type { JsonSchema } from "@valibot/to-json-schema";
import { fill } from "../../i18n/catalogue.ts";
import { docs, docsShape } from "../../i18n/docs.ts";
import type { Locale } from "../../i18n/locale.ts";
import { definitionList, inlineCode } from "./html.ts";

/** The contract has no schemas `true` and `false`, and no tuples. */
const isSchema = (schema: JsonSchema["items"]): schema is JsonSchema => typeof schema === "object" && !Array.isArray(schema);

/** Renders the fields of a schema as rows; nested fields have their path: `campaign.stops[].city`. */
export function renderFields(schema: JsonSchema, locale: Locale): string {
  const t = docs[locale];
  if (schema.type !== "object") return `<p>${renderType(schema, locale)}</p>`;
  const rows = createRows(schema, "", locale);
  return rows.length > 0 ? definitionList(rows) : `<p class="soft">${t.empty}</p>`;
}

function createRows({ properties = {}, required = [] }: JsonSchema, prefix: string, locale: Locale): [string, string][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isSchema(schema)) return [];
    const optional = required.includes(name) ? "" : ` <span class="soft">${docs[locale].optional}</span>`;
    const row: [string, string] = [inlineCode(prefix + name), renderType(schema, locale) + optional];
    const { inner, mark } = unwrap(schema);
    return inner.properties ? [row, ...createRows(inner, `${prefix}${name}${mark}.`, locale)] : [row];
  });
}

/** Returns the schema inside lists and nullable values. */
function unwrap(schema: JsonSchema): { inner: JsonSchema; mark: string } {
  if (isSchema(schema.items)) {
    const { inner, mark } = unwrap(schema.items);
    return { inner, mark: `[]${mark}` };
  }
  const [first] = schema.anyOf ?? [];
  return isSchema(first) ? unwrap(first) : { inner: schema, mark: "" };
}

function renderType(schema: JsonSchema, locale: Locale): string {
  const t = docs[locale];
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return `<a href="#${name}">${name}</a>`;
  }
  if (isSchema(schema.items)) return fill(t.list, { of: renderType(schema.items, locale) });
  const [first] = schema.anyOf ?? [];
  if (isSchema(first)) return fill(t.or, { of: renderType(first, locale) });
  if (schema.enum) return schema.enum.map((value) => inlineCode(String(value))).join(" · ");
  if (schema.const !== undefined) return inlineCode(String(schema.const));
  const words = { string: t.text, number: t.number, integer: t.integer, boolean: t.boolean, object: t.object };
  const word = typeof schema.type === "string" && schema.type in words ? words[schema.type as keyof typeof words] : t.anything;
  return [word, ...renderBounds(schema)].join(" ");
}

function renderBounds({ minLength, maxLength, minimum, maximum, pattern }: JsonSchema): string[] {
  const [from, to] = [minLength ?? minimum, maxLength ?? maximum];
  const range = from !== undefined || to !== undefined ? [inlineCode(`${from ?? ""}–${to ?? ""}`)] : [];
  // Patterns of Unicode categories, such as control characters, do not help readers.
  return pattern && !pattern.includes("\\p") ? [...range, inlineCode(pattern)] : range;
}

/** Renders a shape: name, description and fields. */
export function renderShape(name: string, schema: JsonSchema, locale: Locale): string {
  const description = Object.entries(docsShape[locale]).find(([shape]) => shape === name)?.[1];
  return `<section class="shape" id="${name}"><h3>${name}</h3>${description ? `<p>${description}</p>` : ""}${renderFields(schema, locale)}</section>`;
}
