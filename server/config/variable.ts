import type { GenericSchema } from "valibot";

export interface Variable<Schema extends GenericSchema<string, unknown> = GenericSchema<string, unknown>> {
  schema: Schema;
  /** The default in the notation of the environment; null: none. */
  fallback: string | null;
  /** The fallback applies to the embedded database alone: with DATABASE_URL the variable is required. */
  embeddedOnly?: true;
  /** What the value must be, as the end of the error "<name> must be …". */
  expects: string;
  description: string;
}

export function variable<Schema extends GenericSchema<string, unknown>>(
  schema: Schema,
  fallback: string | null,
  expects: string,
  description: string,
): Variable<Schema> {
  return { schema, fallback, expects, description };
}

/** Marks a variable whose default applies to the embedded database alone. */
export const embeddedOnly = <Schema extends GenericSchema<string, unknown>>(variable: Variable<Schema>): Variable<Schema> => ({
  ...variable,
  embeddedOnly: true,
});
