import { fill } from "../../i18n/catalogue.ts";
import { docs, docsShape } from "../../i18n/docs.ts";
import type { Locale } from "../../i18n/locale.ts";
import { code, pairs } from "./html.ts";
import type { JsonSchema } from "./json-schema.ts";

/** The fields of a schema as rows, those of objects within it by their path: `campaign.stops[].city`. */
export function getFields(schema: JsonSchema, locale: Locale): string {
  const t = docs[locale];
  if (schema.type !== "object") return `<p>${typeOf(schema, locale)}</p>`;
  const rows = rowsOf(schema, "", locale);
  return rows.length > 0 ? pairs(rows) : `<p class="soft">${t.empty}</p>`;
}

function rowsOf({ properties = {}, required = [] }: JsonSchema, prefix: string, locale: Locale): [string, string][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const optional = required.includes(name) ? "" : ` <span class="soft">${docs[locale].optional}</span>`;
    const row: [string, string] = [code(prefix + name), typeOf(schema, locale) + optional];
    const { inner, mark } = innerOf(schema);
    return inner.properties ? [row, ...rowsOf(inner, `${prefix}${name}${mark}.`, locale)] : [row];
  });
}

/** What is inside a list, or inside what may be null. */
function innerOf(schema: JsonSchema): { inner: JsonSchema; mark: string } {
  if (schema.items) {
    const { inner, mark } = innerOf(schema.items);
    return { inner, mark: `[]${mark}` };
  }
  const [first] = schema.anyOf ?? [];
  return first ? innerOf(first) : { inner: schema, mark: "" };
}

function typeOf(schema: JsonSchema, locale: Locale): string {
  const t = docs[locale];
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return `<a href="#${name}">${name}</a>`;
  }
  if (schema.items) return fill(t.list, { of: typeOf(schema.items, locale) });
  if (schema.anyOf?.[0]) return fill(t.or, { of: typeOf(schema.anyOf[0], locale) });
  if (schema.enum) return schema.enum.map((one) => code(String(one))).join(" · ");
  if (schema.const !== undefined) return code(String(schema.const));
  const words = { string: t.text, number: t.number, integer: t.integer, boolean: t.boolean, object: t.object };
  const word = schema.type && schema.type in words ? words[schema.type as keyof typeof words] : t.anything;
  return [word, ...boundsOf(schema)].join(" ");
}

function boundsOf({ minLength, maxLength, minimum, maximum, pattern }: JsonSchema): string[] {
  const [from, to] = [minLength ?? minimum, maxLength ?? maximum];
  const span = from !== undefined || to !== undefined ? [code(`${from ?? ""}–${to ?? ""}`)] : [];
  // A rule about signs that nobody types is no help to a reader.
  return pattern && !pattern.includes("\\p") ? [...span, code(pattern)] : span;
}

/** A shape with its name, its fields and what is not plain from them. */
export function getShape(name: string, schema: JsonSchema, locale: Locale): string {
  const says = Object.entries(docsShape[locale]).find(([shape]) => shape === name)?.[1];
  return `<section class="shape" id="${name}"><h3>${name}</h3>${says ? `<p>${says}</p>` : ""}${getFields(schema, locale)}</section>`;
}
