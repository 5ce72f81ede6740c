// `npm run configuration`: writes the reference of variables (.env.example, docs/configuration.md), from server/config/variables.ts, and
// that of the fields of a shop's files (docs/content.md), from the schemas of src/content.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Variable } from "#server/config/variable.ts";
import { groups } from "#server/config/variables.ts";
import { formatFieldTables } from "#src/content/field-table.ts";

const root = join(import.meta.dirname, "..");
const guide = "docs/configuration.md";
const contentGuide = "docs/content.md";

const exampleHeader = `# Every variable with its default. Copy this file to .env and remove the # before those that you set.
# docs/configuration.md says which of them a public shop must set. \`npm run configuration\` writes this file.

`;

/** Returns the text of each file with tables. Throws when a guide lacks the comments around its tables. */
export function referenceFiles(): Record<string, string> {
  return {
    ".env.example": exampleHeader + format(toLines),
    [guide]: replaceTables(guide, "Variables", format(toTable)),
    [contentGuide]: replaceTables(contentGuide, "Fields", formatFieldTables()),
  };
}

function replaceTables(file: string, name: string, tables: string): string {
  const pattern = new RegExp(`(?<=<!-- ${name}[^\\n]*-->\\n).*(?=<!-- End)`, "s");
  const [before, after, ...more] = readFileSync(join(root, file), "utf8").split(pattern);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} must have the comments "${name}" and "End" around its tables.`);
  return `${before}\n${tables}\n${after}`;
}

type Group = [name: string, variable: Variable][];

function format(toText: (title: string, group: Group) => string): string {
  return Object.entries(groups)
    .map(([title, group]) => toText(title, Object.entries(group)))
    .join("\n");
}

function toLines(title: string, group: Group): string {
  const lines = group.map(([name, { fallback, description, isSecret }]) => {
    const text = `# ${isSecret ? "(secret) " : ""}${description}`;
    if (typeof fallback === "string") return `${text}\n#${name}=${fallback}\n`;
    const onPostgres = fallback.postgres === null ? "it must be set" : `the default is ${fallback.postgres}`;
    return `${text}\n# With DATABASE_URL ${onPostgres}.\n#${name}=${fallback.embedded}\n`;
  });
  return `### ${title}\n\n${lines.join("\n")}`;
}

function toTable(title: string, group: Group): string {
  const rows = group.map(([name, variable]) => {
    const mark = variable.isSecret ? " (secret)" : "";
    return `| \`${name}\`${mark} | ${formatFallback(variable)} | ${variable.description} |\n`;
  });
  return `### ${title}\n\n| variable | default | what it does |\n| --- | --- | --- |\n${rows.join("")}`;
}

function formatFallback({ fallback }: Variable): string {
  if (typeof fallback === "string") return fallback && `\`${fallback}\``;
  const onPostgres = fallback.postgres === null ? "must be set" : `\`${fallback.postgres}\``;
  return `\`${fallback.embedded}\` (embedded); ${onPostgres} with \`DATABASE_URL\``;
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(referenceFiles())) {
    writeFileSync(join(root, name), text);
    console.log(`Wrote ${name}.`);
  }
}
