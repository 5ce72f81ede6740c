import { is, Param, Placeholder, type Query } from "drizzle-orm";
import type { Database } from "./database.ts";
import { createRowMapper, type Fields } from "./row-mapper.ts";

/** A query that Drizzle has built and not yet sent. */
interface BuiltQuery<Row> extends PromiseLike<Row[]> {
  toSQL(): Query;
}

type Values = Record<string, unknown>;

/**
 * Creates a named prepared statement whose SQL Drizzle generates once; it returns `fields` and runs on any connection or transaction. Generating SQL per
 * request costs more than executing it.
 */
export function preparedStatement<SelectedFields extends Fields, Row>(
  name: string,
  fields: SelectedFields,
  build: (db: Database, fields: SelectedFields) => BuiltQuery<Row>,
): (db: Database, values?: Values) => Promise<Row[]> {
  const mapRow = createRowMapper<Row>(fields);
  let statement: Statement | undefined;
  return (db, values = {}) => {
    statement ??= toStatement(build(db, fields).toSQL());
    const query = { name, text: statement.text, values: statement.bind(values) };
    return db.executePrepared(query).then((rows) => rows.map(mapRow));
  };
}

interface Statement {
  text: string;
  bind: (values: Values) => unknown[];
}

/** Compiles the placeholders. Unlike Drizzle's own, they accept null for a JSON column. */
function toStatement({ sql, params }: Query): Statement {
  const bindings = params.map((param) => {
    if (is(param, Placeholder)) return (values: Values) => getValue(values, param);
    if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
    const { encoder, value: placeholder } = param;
    return (values: Values) => {
      const value = getValue(values, placeholder);
      return value === null ? null : encoder.mapToDriverValue(value);
    };
  });
  return { text: sql, bind: (values) => bindings.map((bind) => bind(values)) };
}

function getValue(values: Values, { name }: Placeholder): unknown {
  const value = values[name];
  if (value === undefined) throw new Error(`a prepared statement requires a value for ${name}`);
  return value;
}
