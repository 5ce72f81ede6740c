import { type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, check, jsonb, text, timestamp } from "drizzle-orm/pg-core";
import type { Locale } from "#i18n/locale.ts";

/** A value in each language: stored in one JSON column, by locale. */
export type Localized<Value = string> = Record<Locale, Value>;

/** A column of times in ms, JavaScript's precision, so that times survive the round trip unchanged. */
export const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const localized = <Value = string>(name: string) => jsonb(name).$type<Localized<Value>>();

/** A column of identifiers for URLs and payloads. */
export const uid = (name: string) => text(name);

const getName = (column: AnyPgColumn) => column.name;

export const uidCheck = (table: string, column: AnyPgColumn) =>
  check(`${table}_${getName(column)}_form`, sql`${column} ~ '^[A-Za-z0-9_-]{1,64}$'`);

/** Requires all languages in each column. */
export const localizedCheck = (table: string, ...columns: AnyPgColumn[]) =>
  check(
    `${table}_both_languages`,
    columns
      .map((column): SQL => sql`(${column} is null or ${column} ?& array['zh-CN', 'en-US'])`)
      .reduce((all, condition) => sql`${all} and ${condition}`),
  );

export const picklistCheck = (table: string, column: AnyPgColumn, values: readonly string[]) =>
  check(`${table}_${getName(column)}_known`, sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`);
