import { readFileSync } from "node:fs";
import { CORE_SCHEMA, load, YAMLException } from "js-yaml";

/** A file as read; `faults` are sentences that begin after the file's name. */
export interface FrontMatter {
  fields: Record<string, unknown> | null;
  body: string;
  /** Line of the file on which the body begins, from 1. */
  bodyLine: number;
  faults: string[];
}

const example = `a file begins with a line ---, fields such as "title: Entrance", and a second line ---`;

/** Reads a text file. A byte order mark and Windows line ends are accepted; other encodings than UTF-8 are not. */
export function readText(path: string): { text: string } | { fault: string } {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
    return { text: text.replace(/\r\n?/g, "\n") };
  } catch (error) {
    if (error instanceof TypeError) return { fault: "is not in UTF-8: save it as UTF-8 (Windows editors: not ANSI, not GBK)" };
    return { fault: `cannot be read (${error instanceof Error ? error.message : error})` };
  }
}

/** Splits a Markdown file into its fields and its body. */
export function parseMarkdown(text: string): FrontMatter {
  const fail = (fault: string): FrontMatter => ({ fields: null, body: "", bodyLine: 1, faults: [fault] });
  if (text.trim() === "") return fail(`is empty; ${example}`);
  if (!/^---[ \t]*\n/.test(text)) return fail(`has no fields at its beginning; ${example}`);
  const end = /\n---[ \t]*(?:\n|$)/.exec(text);
  if (!end) return fail(`has no end of its fields: the second line --- is missing; ${example}`);
  const start = text.indexOf("\n");
  const { fields, faults } = parseFields(text.slice(start + 1, Math.max(start + 1, end.index)), 1);
  const bodyStart = end.index + end[0].length;
  return { fields, faults, body: text.slice(bodyStart), bodyLine: text.slice(0, bodyStart).split("\n").length };
}

/** Parses YAML; `linesBefore` precede it in the file. Dates stay texts. */
export function parseFields(yaml: string, linesBefore = 0): Pick<FrontMatter, "fields" | "faults"> {
  try {
    const fields: unknown = load(yaml, { schema: CORE_SCHEMA });
    if (isFields(fields)) return { fields: dropEmpty(fields), faults: [] };
    const colon = findWrongColon(yaml);
    if (colon) return { fields: null, faults: [`line ${linesBefore + colon.line}: ${colon.fault}`] };
    return {
      fields: null,
      faults: ['has no fields; a field is a name, a colon, a blank and its value, such as: "title: Entrance"'],
    };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const colon = findWrongColon(yaml);
    if (colon) return { fields: null, faults: [`line ${linesBefore + colon.line}: ${colon.fault}`] };
    const line = linesBefore + (error.mark?.line ?? 0) + 1;
    const fault = `line ${line}: ${error.reason}; each field is a name, a colon, a blank and its value, such as: title: Entrance (a value with a colon and a blank, or with # or a quotation mark at its beginning, stands in quotation marks: title: "Entrance: the tour")`;
    return { fields: null, faults: [fault] };
  }
}

/** Fields in fields in fields; aliases could nest without end. */
const deepest = 3;

/** A field without a value is as good as none. */
function dropEmpty(fields: Record<string, unknown>, depth = 1): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null);
  if (depth === deepest) return Object.fromEntries(entries);
  return Object.fromEntries(entries.map(([name, value]) => [name, isFields(value) ? dropEmpty(value, depth + 1) : value]));
}

/** Finds a field whose colon is the Chinese one, or has no blank after it: YAML reports another line for both. */
function findWrongColon(yaml: string): { line: number; fault: string } | null {
  for (const [index, text] of yaml.split("\n").entries()) {
    const [, name, colon] = /^[ -]*([a-z]\w*)(：|:(?=[^\s/]))/.exec(text) ?? [];
    if (colon === "：")
      return { line: index + 1, fault: `the colon after ${name} is a full-width one, such as: "${name}: " with : and a blank` };
    if (colon === ":") return { line: index + 1, fault: `a blank is missing after ${name}:, such as: "${name}: …"` };
  }
  return null;
}

export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
