import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { findTags, type Tag } from "../../src/build/html.ts";
import { root } from "./sources.ts";

export interface BuiltPage {
  /** File in the build. */
  file: string;
  /** Pathname it is served at. */
  path: string;
  html: string;
  tags: Tag[];
}

/** The build under test: `npm test` builds one with its own server; otherwise the tests use the last build. */
export const dist = process.env.TEST_DIST ?? join(root, "dist");

/** Returns every file of the build, with `/`. */
export function builtFiles(): string[] {
  if (!existsSync(join(dist, "build.json"))) throw new Error(`There is no build in ${dist}: npm run build`);
  return readdirSync(dist, { recursive: true, encoding: "utf8" })
    .map((name) => name.split(sep).join("/"))
    .sort();
}

export function builtPages(): BuiltPage[] {
  return builtFiles()
    .filter((file) => file.endsWith(".html"))
    .map((file) => {
      const html = readFileSync(join(dist, file), "utf8");
      return { file, path: toPathname(file), html, tags: findTags(html) };
    });
}

/** `index.html` is `/`, `en-US/news.html` is `/en-US/news`. */
function toPathname(file: string): string {
  return `/${file.replace(/(^|\/)index\.html$/, "").replace(/\.html$/, "")}`;
}
