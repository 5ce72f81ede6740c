import type { GenericSchema } from "valibot";

export interface Variable<Schema extends GenericSchema<string, unknown> = GenericSchema<string, unknown>> {
  schema: Schema;
  /** As it would be written; null: nothing. */
  fallback: string | null;
  /** The fallback only counts on the embedded database: with DATABASE_URL the start stops when it is missing. */
  embeddedOnly?: true;
  expects: string;
  says: string;
}

export function variable<Schema extends GenericSchema<string, unknown>>(
  schema: Schema,
  fallback: string | null,
  expects: string,
  says: string,
): Variable<Schema> {
  return { schema, fallback, expects, says };
}

export const embedded = <Schema extends GenericSchema<string, unknown>>(row: Variable<Schema>): Variable<Schema> => ({
  ...row,
  embeddedOnly: true,
});
