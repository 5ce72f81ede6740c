import { is, Param, Placeholder, type Query } from "drizzle-orm";
import type { Database } from "./database.ts";
import { type Fields, rowReader } from "./row.ts";

/** What Drizzle has put together, before it is sent. */
interface Written<Row> extends PromiseLike<Row[]> {
  toSQL(): Query;
}

type Values = Record<string, unknown>;

/**
 * A statement that Drizzle writes once from the schema, and that any database or transaction then carries out, prepared under its name, with values for
 * its placeholders. To have it written for each request costs more than all else that a request needs. `fields` are those that it answers with.
 */
export function preparedStatement<Some extends Fields, Row>(
  name: string,
  fields: Some,
  write: (db: Database, fields: Some) => Written<Row>,
): (db: Database, values?: Values) => Promise<Row[]> {
  const read = rowReader<Row>(fields);
  let written: Fillable | undefined;
  return (db, values = {}) => {
    written ??= fillable(write(db, fields).toSQL());
    const query = { sql: written.sql, params: written.fill(values) };
    return db._.session.prepareQuery<Answer<Row>>(query, undefined, name, true, (rows) => rows.map(read)).execute();
  };
}

interface Answer<Row> {
  execute: Row[];
  all: unknown;
  values: unknown;
}

interface Fillable {
  sql: string;
  fill: (values: Values) => unknown[];
}

/** Unlike Drizzle's own placeholders, these may stand for a JSON column without a value. */
function fillable({ sql, params }: Query): Fillable {
  const slots = params.map((param) => {
    if (is(param, Placeholder)) return (values: Values) => given(values, param);
    if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
    const { encoder, value } = param;
    return (values: Values) => {
      const one = given(values, value);
      return one === null ? null : encoder.mapToDriverValue(one);
    };
  });
  return { sql, fill: (values) => slots.map((slot) => slot(values)) };
}

function given(values: Values, { name }: Placeholder): unknown {
  const value = values[name];
  if (value === undefined) throw new Error(`a statement lacks a value for ${name}`);
  return value;
}
