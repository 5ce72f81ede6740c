import { pgTable, text } from "drizzle-orm/pg-core";

/** What all processes of one database must agree on. */
export const settings = pgTable("settings", { name: text("name").primaryKey(), value: text("value").notNull() });
