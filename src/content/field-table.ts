import { defaultLocale } from "#i18n/locale.ts";
import { type EditorField, toFields } from "./editor.ts";
import { kindNames, kinds, site } from "./schema/kinds.ts";

// The tables of docs/content.md, made from the schemas that the build checks the files with.

/** Pictures have the same two fields everywhere. */
const isPicture = (fields: EditorField[]) => fields.map(({ name }) => name).join() === "file,alt";

/** What a value is, by its widget. */
const values: Record<string, string> = {
  string: "words",
  text: "words, several lines",
  markdown: "text",
  number: "number",
  boolean: "true or false",
  image: "file",
  color: "colour",
  object: "fields",
};

function describeValue({ widget, type, options, fields, pattern, value_type }: EditorField): string {
  if (Array.isArray(options)) return options.map((option) => `\`${option}\``).join(", ");
  if (Array.isArray(fields) && isPicture(fields)) return widget === "list" ? "pictures" : "picture";
  if (widget === "list") return Array.isArray(fields) ? "list of fields" : "list of words";
  if (widget === "datetime") return type === "date" ? "day" : "time";
  if (widget === "string" && pattern) return "id";
  if (widget === "number") return value_type === "float" ? "yuan" : "whole number";
  return values[widget] ?? widget;
}

function toRows(fields: EditorField[], path = ""): string[] {
  return fields.flatMap((field) => {
    const { name, required, i18n, hint, default: fallback } = field;
    const own = Array.isArray(field.fields) && !isPicture(field.fields) ? toRows(field.fields, `${path}${name}.`) : [];
    const need = required ? (Array.isArray(required) ? `in ${defaultLocale}` : "yes") : "";
    const text = `${hint ?? ""}${fallback === undefined ? "" : ` Default: \`${fallback}\`.`}`.trim();
    return [`| \`${path}${name}\` | ${describeValue(field)} | ${need} | ${i18n ? "each" : ""} | ${text} |`, ...own];
  });
}

function formatTable(title: string, fields: EditorField[]): string {
  return `### ${title}\n\n| field | value | required | per language | what it is |\n| --- | --- | --- | --- | --- |\n${toRows(fields).join("\n")}\n`;
}

/** Returns the tables of all fields of a shop's files, as Markdown. */
export function formatFieldTables(): string {
  const tables = kindNames.map((kind) =>
    formatTable(`\`${kind}\``, toFields(kinds[kind].schema.shape, kinds[kind].words.shape)),
  );
  return [formatTable("`site.yaml`", toFields(site.schema.shape, site.words.shape)), ...tables].join("\n");
}
