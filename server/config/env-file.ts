import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const root = join(import.meta.dirname, "../..");

/**
 * Reads variables from `.env` in the project's folder, or from the file that ENV_FILE names; an empty ENV_FILE reads none. What the environment has, even
 * empty, stays. Ends the process with a sentence where the file that ENV_FILE names cannot be read. Server, build and commands all begin with it.
 */
export function loadEnvFile(): void {
  const named = process.env.ENV_FILE;
  const file = resolve(root, named ?? ".env");
  if (named === "" || (named === undefined && !existsSync(file))) return;
  try {
    process.loadEnvFile(file);
  } catch {
    console.error(`ENV_FILE must be a file that can be read: ${file}.`);
    process.exit(1);
  }
}
