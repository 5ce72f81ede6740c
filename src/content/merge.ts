import { z } from "astro/zod";
import type { Locale } from "#i18n/locale.ts";
import { isFields } from "./front-matter.ts";
import { findNearest } from "./nearest.ts";
import { inheritedFields, mixedFields, optionalMixedFields, parallelFields } from "./schema/kinds.ts";

type Fields = Record<string, unknown>;

/** Parses with a schema; faults go to `report` as `<field>: <what is wrong>`. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  fields: unknown,
  report: (fault: string) => void,
): z.infer<Schema> | null {
  const parsed = schema.safeParse(fields, { reportInput: true });
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const { path, message } = issue;
    const isMissing = issue.input === undefined && (issue.code === "invalid_type" || issue.code === "invalid_value");
    if (issue.code === "unrecognized_keys")
      for (const key of issue.keys) report(`${formatPath([...path, key])}: ${nameNearest(key, message)}`);
    else if (isMissing && path.length > 0)
      report(`${formatPath(path)}: ${addExample("is missing", String(path.at(-1)), message)}`);
    else report(`${formatPath(path)}${path.length > 0 ? ": " : ""}${message}`);
  }
  return null;
}

/** Returns what comes after a mark in a message; null without the mark. */
function getRest(message: string, mark: string): string | null {
  const at = message.indexOf(mark);
  return at < 0 ? null : message.slice(at + mark.length);
}

/** Returns a fault with the example at the end of a message, the field's name before it; a message without an example as it is. */
function addExample(fault: string, field: string, message: string): string {
  const example = getRest(message, "such as: ");
  return example === null ? message : `${fault}, such as: ${field}: ${example.replace(/^\w+: /, "")}`;
}

/** Names the field that a misspelt one is near to, in place of all fields. */
function nameNearest(key: string, message: string): string {
  const names = getRest(message, "are: ")?.split(", ") ?? [];
  const nearest = findNearest(key, names);
  return nearest ? `there is no such field; did you mean ${nearest}?` : message;
}

/** Returns the field of a file that a fault is about: `skus` of `skus 2, price: …`. */
const getField = (fault: string) => /^[^ ,:]*/.exec(fault)?.[0] ?? "";

/** `["skus", 1, "price"]` is `skus 2, price`. */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === "number" ? ` ${part + 1}` : `${index > 0 ? ", " : ""}${String(part)}`))
    .join("");
}

/** Returns what keeps the other language's words from standing beside the default language's file: `<field>: <what is wrong>`. */
function findMismatches(base: Fields, words: Fields, shape: Fields): string[] {
  return Object.keys(shape).flatMap((field) => {
    const [mine, theirs] = [base[field], words[field]];
    if (mixedFields.includes(field) || field === "specs") {
      if (mine !== undefined && theirs === undefined && !optionalMixedFields.includes(field))
        return [`${field}: ${addWordsExample("is missing: its words stand in each language", field, shape[field])}`];
      if (mine === undefined && theirs !== undefined)
        return [`${field}: ${addWordsExample("must stand beside the Chinese words too", field, shape[field])}`];
    }
    if (!parallelFields.includes(field) || !Array.isArray(mine) || !Array.isArray(theirs)) return [];
    if (mine.length !== theirs.length)
      return [
        `${field}: has ${theirs.length} ${theirs.length === 1 ? "entry" : "entries"}, but ${mine.length} in Chinese: they belong together in pairs`,
      ];
    return mine.flatMap((entry, index) => findPairMismatch(`${field} ${index + 1}`, entry, theirs[index]));
  });
}

/** Returns a fault with an example of the field's words, which its schema gives for a value that it refuses. */
function addWordsExample(fault: string, field: string, schema: unknown): string {
  const [issue] = (schema instanceof z.ZodType && schema.safeParse(0).error?.issues) || [];
  return addExample(fault, field, issue?.message ?? fault);
}

function findPairMismatch(field: string, mine: unknown, theirs: unknown): string[] {
  if (typeof mine === "string" && typeof theirs === "string" && field.startsWith("programme"))
    return mine.slice(0, 5) === theirs.slice(0, 5)
      ? []
      : [`${field}: is at ${theirs.slice(0, 5)}, but at ${mine.slice(0, 5)} in Chinese`];
  if (!isFields(mine) || !isFields(theirs) || !Array.isArray(mine.values) || !Array.isArray(theirs.values)) return [];
  return mine.values.length === theirs.values.length
    ? []
    : [`${field}, values: are ${theirs.values.length}, but ${mine.values.length} in Chinese: they belong together in pairs`];
}

/** Lays the words of the other language over the default language's fields. `shape` has the fields that are words. */
function mergeWords(base: Fields, words: Fields, shape: Fields): Fields {
  const merged: Fields = { ...base };
  for (const field of Object.keys(shape)) {
    // Words of the banner may be missing in one language.
    if (field === "plan" && isFields(base.plan)) merged.plan = { event: base.plan.event, ...Object(words.plan) };
    else if (mixedFields.includes(field)) merged[field] = overlay(base[field], words[field]);
    else if (words[field] !== undefined) merged[field] = words[field];
    else if (!inheritedFields.includes(field)) delete merged[field];
  }
  if (Array.isArray(base.skus)) merged.skus = base.skus.map((sku) => translateSku(sku, base.specs, words.specs));
  return merged;
}

function overlay(base: unknown, words: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(words)) return base.map((entry, index) => overlay(entry, words[index]));
  return isFields(base) && isFields(words) ? { ...base, ...words } : base;
}

/** The values of a SKU stand in the default language; the other language's are at the same position of its specs. */
function translateSku(sku: unknown, specs: unknown, translated: unknown): unknown {
  if (!isFields(sku) || !Array.isArray(sku.values) || !Array.isArray(specs) || !Array.isArray(translated)) return sku;
  return {
    ...sku,
    values: sku.values.map((value, index) => {
      const [mine, theirs] = [specs[index], translated[index]];
      if (!isFields(mine) || !isFields(theirs) || !Array.isArray(mine.values) || !Array.isArray(theirs.values)) return value;
      return theirs.values[mine.values.indexOf(value)] ?? value;
    }),
  };
}

/** What a kind's files are checked with: its default language's file, and the other language's. */
export interface Schemas<Schema extends z.ZodType> {
  schema: Schema & { shape: Record<string, unknown> };
  words: z.ZodType & { shape: Record<string, unknown> };
}

/** The fields of one language, as in its file. */
export interface LanguageFields {
  locale: Locale;
  fields: Record<string, unknown>;
  report: (fault: string) => void;
}

/** Merges the fields of an entry's languages, and parses them. The facts stand in the default language's, else in the only one. */
export function mergeLanguages<Schema extends z.ZodType>(
  languages: readonly LanguageFields[],
  factsLocale: Locale | undefined,
  { schema, words }: Schemas<Schema>,
): Map<Locale, z.infer<Schema>> {
  const parsed = new Map<Locale, z.infer<Schema>>();
  const base = factsLocale === undefined ? languages[0] : languages.find(({ locale }) => locale === factsLocale);
  const baseFields = base ? parse(schema, base.fields, base.report) : null;
  if (base && baseFields !== null) parsed.set(base.locale, baseFields);
  for (const { locale, fields, report } of languages) {
    if (locale === base?.locale) continue;
    const facts = Object.keys(fields).filter((field) => field in schema.shape && !(field in words.shape));
    for (const fact of facts)
      report(`${fact}: is a fact, which stands once, beside the Chinese words (${factsLocale}): remove it here`);
    const own = Object.fromEntries(Object.entries(fields).filter(([field]) => !facts.includes(field)));
    const faulty = new Set<string>();
    const reportOwn = (fault: string) => {
      faulty.add(getField(fault));
      report(fault);
    };
    parse(words, own, reportOwn);
    const mismatches = base ? findMismatches(base.fields, own, words.shape) : [];
    for (const fault of mismatches) if (!faulty.has(getField(fault))) reportOwn(fault);
    if (faulty.size > 0 || !base || baseFields === null) continue;
    const merged = parse(schema, mergeWords(base.fields, own, words.shape), report);
    if (merged !== null) parsed.set(locale, merged);
  }
  return parsed;
}
