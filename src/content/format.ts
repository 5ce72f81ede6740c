import { CORE_SCHEMA, dump } from "js-yaml";

/** Formats fields as YAML: absent ones are left out, entries of lists stand on one line each. */
export function formatFields(fields: Record<string, unknown>): string {
  return dump(fields, { schema: CORE_SCHEMA, lineWidth: -1, flowLevel: 2, skipInvalid: true, noRefs: true });
}

/** Formats a text with its fields. */
export function formatMarkdown(fields: Record<string, unknown>, body = ""): string {
  const text = body.trim();
  return `---\n${formatFields(fields)}---\n${text && `\n${text}\n`}`;
}

/** Formats a time in China: `2027-03-20T19:30+08:00`. */
export function formatTime(time: Date): string {
  return `${new Date(time.getTime() + 8 * 3600_000).toISOString().slice(0, 16)}+08:00`;
}

/** Formats fen as yuan: 26800 is 268. */
export const toYuan = (fen: number) => fen / 100;
