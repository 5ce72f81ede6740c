import { fill } from "../../i18n/catalogue.ts";
import { docs, docsShape } from "../../i18n/docs.ts";
import type { Locale } from "../../i18n/locale.ts";
import { definitionList, inlineCode } from "./html.ts";
import type { JsonSchema } from "./json-schema.ts";

/** Renders the fields of a schema as rows; nested fields have their path: `campaign.stops[].city`. */
export function renderFields(schema: JsonSchema, locale: Locale): string {
  const t = docs[locale];
  if (schema.type !== "object") return `<p>${renderType(schema, locale)}</p>`;
  const rows = createRows(schema, "", locale);
  return rows.length > 0 ? definitionList(rows) : `<p class="soft">${t.empty}</p>`;
}

function createRows({ properties = {}, required = [] }: JsonSchema, prefix: string, locale: Locale): [string, string][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const optional = required.includes(name) ? "" : ` <span class="soft">${docs[locale].optional}</span>`;
    const row: [string, string] = [inlineCode(prefix + name), renderType(schema, locale) + optional];
    const { inner, mark } = unwrap(schema);
    return inner.properties ? [row, ...createRows(inner, `${prefix}${name}${mark}.`, locale)] : [row];
  });
}

/** Returns the schema inside lists and nullable values. */
function unwrap(schema: JsonSchema): { inner: JsonSchema; mark: string } {
  if (schema.items) {
    const { inner, mark } = unwrap(schema.items);
    return { inner, mark: `[]${mark}` };
  }
  const [first] = schema.anyOf ?? [];
  return first ? unwrap(first) : { inner: schema, mark: "" };
}

function renderType(schema: JsonSchema, locale: Locale): string {
  const t = docs[locale];
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return `<a href="#${name}">${name}</a>`;
  }
  if (schema.items) return fill(t.list, { of: renderType(schema.items, locale) });
  if (schema.anyOf?.[0]) return fill(t.or, { of: renderType(schema.anyOf[0], locale) });
  if (schema.enum) return schema.enum.map((value) => inlineCode(String(value))).join(" · ");
  if (schema.const !== undefined) return inlineCode(String(schema.const));
  const words = { string: t.text, number: t.number, integer: t.integer, boolean: t.boolean, object: t.object };
  const word = schema.type && schema.type in words ? words[schema.type as keyof typeof words] : t.anything;
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
