import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the names of a folder's test files of which Vitest's comment in the first line tags every test `full`. */
export function listFullFiles(folder: string): string[] {
  const isFull = (name: string) => readFileSync(join(folder, name), "utf8").startsWith("// @module-tag full\n");
  return readdirSync(folder).filter((name) => name.endsWith(".test.ts") && isFull(name));
}
