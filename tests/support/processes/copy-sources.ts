import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../../scripts/process.ts";

const paths = [
  "i18n",
  "public",
  "scripts",
  "server",
  "src",
  "astro.config.mjs",
  "package.json",
  "tailwind.config.mjs",
  "tsconfig.json",
];

/** Copies the sources into a new folder, which shares only the packages; returns the folder. */
export function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), "entrance-copy-"));
  // `public` is there when the site serves files as they are.
  for (const name of paths.filter((name) => existsSync(join(root, name))))
    cpSync(join(root, name), join(copy, name), { recursive: true });
  mkdirSync(join(copy, "node_modules"));
  // Builds write to folders that begin with a dot.
  for (const name of readdirSync(join(root, "node_modules")).filter((name) => !name.startsWith(".")))
    symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
  return copy;
}
