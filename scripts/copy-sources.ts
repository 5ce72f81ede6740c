import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./process.ts";

const copied = [
  ...["i18n", "public", "scripts", "server", "src"],
  ...["astro.config.mjs", "package.json", "tailwind.config.mjs", "tsconfig.json"],
];

/** Copies what a site is built and served from into a folder of its own, which shares packages and nothing else; returns the folder. */
export function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), "entrance-copy-"));
  for (const name of copied) cpSync(join(root, name), join(copy, name), { recursive: true });
  mkdirSync(join(copy, "node_modules"));
  // What begins with a dot is written while building.
  for (const name of readdirSync(join(root, "node_modules")).filter((one) => !one.startsWith(".")))
    symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
  return copy;
}
