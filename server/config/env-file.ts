import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const root = join(import.meta.dirname, "../..");

/**
 * Loads variables from the file ENV_FILE (default: `.env` in the project's folder; empty: none). Variables that the environment sets, even to "", keep their
 * values. Exits with an error when ENV_FILE cannot be read. Server, build and commands call it first.
 */
export function loadEnvFile(): void {
  const fileName = process.env.ENV_FILE;
  const file = resolve(root, fileName ?? ".env");
  if (fileName === "" || (fileName === undefined && !existsSync(file))) return;
  try {
    process.loadEnvFile(file);
  } catch {
    console.error(`ENV_FILE must be a readable file: ${file}.`);
    process.exit(1);
  }
}
