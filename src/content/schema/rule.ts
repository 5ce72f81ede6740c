import type { z } from "astro/zod";

/** Fields of which those with a fault of their own are undefined, at any depth. */
export type Sound<Value> = Value extends Date
  ? Value
  : Value extends readonly (infer Entry)[]
    ? (Sound<Entry> | undefined)[]
    : Value extends object
      ? { [Name in keyof Value]: Sound<Value[Name]> | undefined }
      : Value;

type Path = readonly PropertyKey[];
type Issues = readonly { path?: Path | undefined; code?: string | undefined }[];
export type Report = (path: (string | number)[], message: string) => void;

/**
 * Adds a rule between the fields of a file. It runs beside faults of single fields too, so that an author reads all of them at
 * once: it receives the fields that are right, and what it reports of any other is dropped.
 */
export function withRule<Schema extends z.ZodObject>(
  schema: Schema,
  rule: (fields: Sound<z.output<Schema>>, report: Report) => void,
): Schema {
  return schema.superRefine(
    (fields, context) => {
      const isFaulty = findFaulty(context.issues);
      rule(selectSound(fields, isFaulty), (path, message) => {
        if (!isFaulty(path)) context.addIssue({ code: "custom", path, message });
      });
    },
    { when: ({ value }) => typeof value === "object" && value !== null },
  );
}

/** Returns whether a field, or one that it is a part of, has a fault. A field that does not exist is no fault of those around it. */
function findFaulty(issues: Issues): (path: Path) => boolean {
  const paths = issues.filter(({ code }) => code !== "unrecognized_keys").map(({ path = [] }) => path);
  return (path) => paths.some((faulty) => faulty.every((part, at) => part === path[at]));
}

function selectSound<Value>(value: Value, isFaulty: (path: Path) => boolean, path?: Path): Sound<Value>;
function selectSound(value: unknown, isFaulty: (path: Path) => boolean, path: Path = []): unknown {
  if (path.length > 0 && isFaulty(path)) return undefined;
  if (Array.isArray(value)) return value.map((entry, index) => selectSound(entry, isFaulty, [...path, index]));
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, selectSound(one, isFaulty, [...path, name])]));
}

interface Move {
  starts_at?: Date | undefined;
  status?: "scheduled" | "cancelled" | "moved" | undefined;
  moved_from?: Date | undefined;
}

/** Returns what is wrong with the old start of a show or a stop; `subject` is which of them, with its article. */
export function findMoveFaults({ starts_at, status, moved_from }: Move, subject: "a show" | "a stop"): string[] {
  if (status === "moved" && !moved_from)
    return [`is missing: ${subject} that moved says its old start, such as: 2027-03-06T19:30+08:00`];
  if (status && status !== "moved" && moved_from)
    return ["stands only beside status: moved; add it or leave this out, such as: status: moved"];
  return starts_at && moved_from?.getTime() === starts_at.getTime()
    ? ["must be the old start, not starts_at, such as: a week before it"]
    : [];
}
