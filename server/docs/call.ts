import type { JsonSchema } from "@valibot/to-json-schema";
import { html } from "hono/html";
import { docs, docsCall, docsShape } from "#i18n/docs.ts";
import type { Locale } from "#i18n/locale.ts";
import { docsResponseCode } from "#i18n/response-code.ts";
import type { HtmlContent } from "#server/http/html-page.ts";
import type { Call, ServedCall } from "#src/api/call.ts";
import { codes } from "#src/api/envelope.ts";
import { type CallName, type Example, getErrorCodes } from "./operation.ts";
import { toJsonSchema } from "./shapes.ts";

export const inlineCode = (text: string | number) => html`<code>${text}</code>`;

/** Renders a value as JSON in a block that scrolls, by keyboard too. */
export const codeBlock = (label: string, value: unknown) =>
  html`<pre tabindex="0" role="region" aria-label="${label}">${JSON.stringify(value, null, 2)}</pre>`;

export const definitionList = (rows: [term: HtmlContent, description: HtmlContent][]) =>
  html`<dl>${rows.map(([term, description]) => html`<div><dt>${term}</dt><dd>${description}</dd></div>`)}</dl>`;

/** The contract has no schemas `true` and `false`, and no tuples. */
const isSchema = (schema: JsonSchema["items"]): schema is JsonSchema => typeof schema === "object" && !Array.isArray(schema);

/** Renders the fields of a schema as rows; nested fields have their path: `campaign.stops[].city`. */
function renderFields(schema: JsonSchema, locale: Locale): HtmlContent {
  const t = docs[locale];
  if (schema.type !== "object") return html`<p>${renderType(schema, locale)}</p>`;
  const rows = createRows(schema, "", locale);
  return rows.length > 0 ? definitionList(rows) : html`<p class="soft">${t.empty}</p>`;
}

function createRows(
  { properties = {}, required = [] }: JsonSchema,
  prefix: string,
  locale: Locale,
): [HtmlContent, HtmlContent][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isSchema(schema)) return [];
    const optional = required.includes(name) ? "" : renderOptional(schema, locale);
    const row: [HtmlContent, HtmlContent] = [inlineCode(prefix + name), html`${renderType(schema, locale)}${optional}`];
    const { inner, mark } = unwrap(schema);
    return inner.properties ? [row, ...createRows(inner, `${prefix}${name}${mark}.`, locale)] : [row];
  });
}

/** Renders that a field may be left out, and what it is then. */
function renderOptional({ default: value }: JsonSchema, locale: Locale): HtmlContent {
  const t = docs[locale];
  if (typeof value !== "number") return html` <span class="soft">${t.optional}</span>`;
  return html` <span class="soft">${t.defaultsTo} ${inlineCode(value)}</span>`;
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

function renderType(schema: JsonSchema, locale: Locale): HtmlContent {
  const t = docs[locale];
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return html`<a href="#${name}">${name}</a>`;
  }
  if (isSchema(schema.items)) return insert(t.list, renderType(schema.items, locale));
  const [first] = schema.anyOf ?? [];
  if (isSchema(first)) return insert(t.or, renderType(first, locale));
  if (schema.enum)
    return html`${schema.enum.map((value, index) => html`${index > 0 ? " · " : ""}${inlineCode(String(value))}`)}`;
  if (schema.const !== undefined) return inlineCode(String(schema.const));
  const words = { string: t.text, number: t.number, integer: t.integer, boolean: t.boolean, object: t.object };
  const word = typeof schema.type === "string" && schema.type in words ? words[schema.type as keyof typeof words] : t.anything;
  return html`${word}${renderBounds(schema).map((bound) => html` ${bound}`)}`;
}

/** Inserts HTML for the `{of}` of a text. */
function insert(text: string, of: HtmlContent): HtmlContent {
  const [before, after] = text.split("{of}");
  return html`${before}${of}${after}`;
}

const isUnsafe = (bound: number | undefined) => Math.abs(bound ?? 0) >= Number.MAX_SAFE_INTEGER;

function renderBounds({ minLength, maxLength, minimum, maximum, pattern }: JsonSchema): HtmlContent[] {
  // The bounds of all whole numbers in JSON are no limits of the contract.
  const [from, to] = [minLength ?? minimum, maxLength ?? maximum].map((bound) => (isUnsafe(bound) ? undefined : bound));
  const range = from !== undefined || to !== undefined ? [inlineCode(`${from ?? ""}–${to ?? ""}`)] : [];
  // Patterns of Unicode categories, such as control characters, do not help readers.
  return pattern && !pattern.includes("\\p") ? [...range, inlineCode(pattern)] : range;
}

/** Renders a shape: name, description and fields. */
export function renderShape(name: string, schema: JsonSchema, locale: Locale): HtmlContent {
  const description = Object.entries(docsShape[locale]).find(([shape]) => shape === name)?.[1];
  return html`<section class="shape" id="${name}"><h3>${name}</h3>${description ? html`<p>${description}</p>` : ""}${renderFields(schema, locale)}</section>`;
}

/** Renders a call as a collapsed `<details>`: its summary, payload, response, error codes and example. */
export function renderCall(name: CallName, call: ServedCall, example: Example | undefined, locale: Locale): HtmlContent {
  const t = docs[locale];
  const access =
    call.access === "session" ? html`<span class="who">${t.session}</span>` : html`<span class="who open">${t.public}</span>`;
  const summary = html`<summary><span class="method">${call.method}</span> ${inlineCode(call.path)} ${access}<span class="says">${docsCall[locale][name]}</span></summary>`;
  const payload = toJsonSchema(call.payload);
  const sections = [
    section(t.payload, renderFields(payload, locale)),
    section(t.answer, renderFields(toJsonSchema(call.data), locale)),
    section(t.refuses, renderErrorCodes(call, locale)),
    example ? section(t.example, renderExample(call, example, locale)) : "",
  ];
  return html`<details id="${name}">${summary}<div class="call">${sections}</div></details>`;
}

const section = (title: string, content: HtmlContent) => html`<h4>${title}</h4>${content}`;

function renderErrorCodes(call: ServedCall, locale: Locale): HtmlContent {
  const rows = [...getErrorCodes(call), ...call.errors.filter((name) => name === "unavailable")];
  if (rows.length === 0) return html`<p class="soft">${docs[locale].empty}</p>`;
  return definitionList(rows.map((name) => [inlineCode(codes[name]), docsResponseCode[locale][name]]));
}

function renderExample({ method, path }: Call, { payload, answer }: Example, locale: Locale): HtmlContent {
  const t = docs[locale];
  const request = payload === undefined ? "" : codeBlock(`${t.request} ${method} ${path}`, payload);
  return html`${request}${codeBlock(`${t.response} ${method} ${path}`, answer)}`;
}
