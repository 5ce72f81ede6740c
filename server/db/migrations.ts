import { join } from "node:path";

/** Made by `drizzle-kit generate`; both engines run the same. */
export const migrationsFolder = join(import.meta.dirname, "migrations");
