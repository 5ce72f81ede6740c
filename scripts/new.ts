// `npm run new -- shop <folder>` creates a shop's folder; `npm run new -- news | event | item | pass | tour <id>` an entry in CONTENT_DIR.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { locales } from "#i18n/locale.ts";
import { loadEnvFile } from "#server/config/env-file.ts";
import { isId } from "#src/content/schema/field.ts";
import { isReserved } from "#src/content/shop-files.ts";
import { createSiteFile, readTemplate, templateKinds } from "#src/content/templates.ts";
import { callerFolder, demoFolder, findShop } from "./shop-paths.ts";

const usage = `npm run new -- shop <folder>\nnpm run new -- ${Object.keys(templateKinds).join(" | ")} <id>   (with CONTENT_DIR=<folder of the shop>)`;

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`Wrote ${file}`);
}

/** Converts a folder's name to an id. */
function toId(name: string): string {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 48);
  return isId(id) ? id : "shop";
}

function writeShop(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).some((name) => !name.startsWith(".")))
    stop(`${folder} is not empty: name a new folder.`);
  write(folder, "site.yaml", createSiteFile(toId(basename(folder))));
  write(folder, "mark.svg", readTemplate("mark.svg"));
  for (const locale of locales) {
    write(folder, `about/terms/index.${locale}.md`, readTemplate(`terms.${locale}.md`));
    const privacy = `about/privacy/index.${locale}.md`;
    // The privacy text describes what the software stores, which is the same for every shop.
    write(folder, privacy, readFileSync(join(demoFolder, privacy), "utf8"));
  }
  // Otherwise, Git for Windows writes other line endings.
  if (!existsSync(join(folder, ".gitattributes"))) write(folder, ".gitattributes", "* text=auto eol=lf\n");
  // The browser editor opens only folders with a Git repository.
  if (!existsSync(join(folder, ".git")) && spawnSync("git", ["init", "--quiet"], { cwd: folder }).status !== 0)
    console.log("Git was not found: npm run editor requires it.");
  console.log(
    `\nName it once in each terminal:  export CONTENT_DIR=${JSON.stringify(folder)}\nStart it:  npm start\nEdit it:   npm run editor, or any text editor (docs/content.md)`,
  );
}

function writeEntry(name: string, id: string): void {
  const kind = templateKinds[name];
  if (!kind) stop(`There is nothing called ${name} to write.\n${usage}`);
  if (!isId(id)) stop(`${usage}\nAn id has at most 48 small letters, digits and dashes.`);
  if (isReserved(kind, id)) stop(`${kind}/${id} is the address of another page: name another id, such as ${id}-1.`);
  if (!process.env.CONTENT_DIR) {
    const command = `npm run new -- ${name} ${id}`;
    stop(
      `CONTENT_DIR is not set: ${kind}/${id} would be written into the demo (src/content). Nothing was written.\nInto your shop:  CONTENT_DIR=../my-label ${command}\nInto the demo:   CONTENT_DIR=src/content ${command}`,
    );
  }
  const shop = findShop();
  const folder = join(shop.folder, kind, id);
  // The folder may exist without texts: authors may add the pictures first.
  if (locales.some((locale) => existsSync(join(folder, `index.${locale}.md`))))
    stop(`${folder} exists and has texts: name another id.`);
  for (const locale of locales) write(shop.folder, join(kind, id, `index.${locale}.md`), readTemplate(`${name}.${locale}.md`));
}

loadEnvFile();
const [name = "", target = ""] = process.argv.slice(2);
if (name === "" || target === "" || process.argv.length > 4) stop(usage);
if (name === "shop") writeShop(resolve(callerFolder, target));
else writeEntry(name, target);
