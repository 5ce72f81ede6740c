import { type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, check, jsonb, text, timestamp } from "drizzle-orm/pg-core";
import type { Locale } from "../../../i18n/locale.ts";

/** What the host owns is kept in both languages, in one column, under the names of the languages. */
export type Both<Value = string> = Record<Locale, Value>;

/** Milliseconds, as JavaScript counts: what is written is what is read back. */
export const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const both = <Value = string>(name: string) => jsonb(name).$type<Both<Value>>();

/** An identifier that stands in URLs and payloads. */
export const uid = (name: string) => text(name);

const named = (column: AnyPgColumn) => column.name;

export const uidCheck = (table: string, column: AnyPgColumn) =>
  check(`${table}_${named(column)}_form`, sql`${column} ~ '^[A-Za-z0-9_-]{1,64}$'`);

/** A text that lacks one of the languages cannot be stored. */
export const bothCheck = (table: string, ...columns: AnyPgColumn[]) =>
  check(
    `${table}_both_languages`,
    columns
      .map((column): SQL => sql`(${column} is null or ${column} ?& array['zh-CN', 'en-US'])`)
      .reduce((all, one) => sql`${all} and ${one}`),
  );

export const picklistCheck = (table: string, column: AnyPgColumn, values: readonly string[]) =>
  check(`${table}_${named(column)}_known`, sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`);
