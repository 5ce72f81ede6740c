import { pgTable, text } from "drizzle-orm/pg-core";

/** Values that all processes of one database share. */
export const settings = pgTable("settings", { name: text("name").primaryKey(), value: text("value").notNull() });
