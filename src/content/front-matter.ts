import { readFileSync } from "node:fs";
import { CORE_SCHEMA, load, YAMLException } from "js-yaml";
import { withComma } from "./schema/field.ts";

/** A file as read; `faults` are sentences that begin after the file's name. */
export interface FrontMatter {
  fields: Record<string, unknown> | null;
  body: string;
  /** Line of the file on which the body begins, from 1. */
  bodyLine: number;
  faults: string[];
}

const example = `a file begins with a line ---, fields, and a second line ---, such as: "title: Entrance" between them`;

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
  if (!/^---[^\S\n]*\n/.test(text)) return fail(`has no fields at its beginning; ${example}`);
  const end = /\n---[^\S\n]*(?:\n|$)/.exec(text);
  if (!end) return fail(`has no end of its fields: the second line --- is missing; ${example}`);
  const start = text.indexOf("\n");
  const { fields, faults } = parseFields(text.slice(start + 1, Math.max(start + 1, end.index)), 1);
  const bodyStart = end.index + end[0].length;
  return { fields, faults, body: text.slice(bodyStart), bodyLine: text.slice(0, bodyStart).split("\n").length };
}

/** Parses YAML; `linesBefore` precede it in the file. Dates stay texts. */
export function parseFields(yaml: string, linesBefore = 0): Pick<FrontMatter, "fields" | "faults"> {
  const fail = ({ line, fault }: Slip) => ({ fields: null, faults: [`line ${linesBefore + line}: ${fault}`] });
  const swallowed = findWideBlank(yaml) ?? findColour(yaml) ?? findComma(yaml);
  if (swallowed) return fail(swallowed);
  try {
    const fields: unknown = load(yaml, { schema: CORE_SCHEMA });
    if (isFields(fields)) return { fields: dropEmpty(fields), faults: [] };
    const colon = findWrongColon(yaml);
    if (colon) return fail(colon);
    return {
      fields: null,
      faults: ['has no fields; a field is a name, a colon, a blank and its value, such as: "title: Entrance"'],
    };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const slip = findWrongColon(yaml) ?? findDouble(yaml, error);
    if (slip) return fail(slip);
    return fail({
      line: (error.mark?.line ?? 0) + 1,
      fault: `${error.reason}; each field is a name, a colon, a blank and its value, such as: title: Entrance (a value with a colon and a blank, or with # or a quotation mark at its beginning, stands in quotation marks: title: "Entrance: the tour")`,
    });
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

/** What is wrong with a line of YAML, from 1. */
interface Slip {
  line: number;
  fault: string;
}

const getLine = (yaml: string, offset: number) => yaml.slice(0, offset).split("\n").length;

/** Finds a field whose colon is the Chinese one, or has no blank after it: YAML reports another line for both. */
function findWrongColon(yaml: string): Slip | null {
  for (const [index, text] of yaml.split("\n").entries()) {
    const [, name, colon] = /^[ -]*([a-z]\w*)(：|:(?=[^\s/]))/.exec(text) ?? [];
    if (colon === "：")
      return { line: index + 1, fault: `the colon after ${name} is a full-width one, such as: "${name}: " with : and a blank` };
    if (colon === ":") return { line: index + 1, fault: `a blank is missing after ${name}:, such as: "${name}: …"` };
  }
  return null;
}

/** Finds a blank that is none for YAML, before a field or entry or after a colon: it becomes part of the name or value. */
function findWideBlank(yaml: string): Slip | null {
  const match = /(?:^[ \t-]*(?=[^\S \t\n]+[- ]*[a-z]\w*:)|^[ \t]*-|(?:^[ \t-]*|[{,][ \t]*)[a-z]\w*:)([^\S \t\n])/m.exec(yaml);
  if (!match) return null;
  const [before, blank = ""] = match;
  const code = blank.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  const kind = blank === "\u3000" ? "full-width" : blank === "\u00a0" ? "no-break" : "special";
  return {
    line: getLine(yaml, match.index + before.length),
    fault: `has a ${kind} blank (U+${code}): blanks before a name and after its colon are those of the space bar, such as: "  title: Entrance"`,
  };
}

/** Finds a colour without quotation marks: for YAML the rest of its line is a comment. */
function findColour(yaml: string): Slip | null {
  const match = /^[^#"'\n]*?(\w+): +(#(?:[\da-f]{3}){1,2})(?!\w)/im.exec(yaml);
  if (!match) return null;
  const [before, name, colour] = match;
  const fault = `${name}: ${colour} is a comment without quotation marks, such as: ${name}: "${colour}"`;
  return { line: getLine(yaml, match.index + before.length), fault };
}

/** Finds a number with a comma between braces: for YAML the next field begins there. */
function findComma(yaml: string): Slip | null {
  const match = /[{,]\s*(\w+): *(\d+,\d+)\s*[,}]/.exec(yaml);
  if (!match) return null;
  const [, name, number] = match;
  return { line: getLine(yaml, match.index + match[0].lastIndexOf(":")), fault: `${name}: ${number} ${withComma}` };
}

/** Names the field that stands twice. */
function findDouble(yaml: string, { reason, mark }: YAMLException): Slip | null {
  if (reason !== "duplicated mapping key") return null;
  const [, name = ""] = /^["']?([^"':\n]*)/.exec(yaml.slice(mark.position)) ?? [];
  return { line: mark.line + 1, fault: `${name} is there twice: each field stands once, so remove one of the two` };
}

export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
