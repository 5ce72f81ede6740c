import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { applyEdits, findTags, type Tag } from "../../../src/build/html.ts";

/** Attributes that contain names only: they may change without changing the page. */
const naming = /^(class|id|for|aria-(labelledby|describedby|controls|owns))$/;

/** Removes names from a page: class names, ids, hashes, script text and attributes of islands. */
function withoutNames(html: string): string {
  return applyEdits(
    html,
    findTags(html).map((tag) => ({ start: tag.start, end: tag.end, text: plainTag(tag) })),
  );
}

function plainTag({ name, attributes, text }: Tag): string {
  const rel = attributes.get("rel") ?? "";
  if (name === "style" || (name === "link" && /^(modulepreload|stylesheet)$/.test(rel))) return "";
  if (name === "astro-island") return "<astro-island>";
  if (name === "meta" && (attributes.get("name") === "build" || attributes.has("http-equiv"))) return "<meta>";
  if (name === "script") return attributes.get("type") === "application/ld+json" ? `<script>${text}</script>` : "<script>";
  const texts = [...attributes]
    .filter(([attribute]) => !naming.test(attribute))
    .map(([attribute, value]) => ` ${attribute}="${plainValue(attribute, value)}"`)
    .sort();
  const closed = text === null ? "" : `${text}</${name}>`;
  return `<${name}${texts.join("")}>${closed}`;
}

function plainValue(attribute: string, value: string): string {
  const file = value.replace(/\/_astro\/[^"'\s]+?\.(\w+)(?=["'\s,]|$)/g, "/_astro/*.$1");
  return attribute === "href" && file.startsWith("#") ? "#" : file;
}

const listPages = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html"))
    .sort();

/** Returns how two builds of the same content differ: pages missing in one, and the first difference of a page. */
export function findDifferences(before: string, after: string): string[] {
  const pages = new Set([...listPages(before), ...listPages(after)]);
  return [...pages].flatMap((page) => {
    const [old, now] = [before, after].map((folder) => join(folder, page));
    if (!old || !now || !existsSync(old) || !existsSync(now)) return [`${page}: only in one of them`];
    const [was, is] = [old, now].map((file) => withoutNames(readFileSync(file, "utf8")));
    return was === is ? [] : [`${page}: ${firstDifference(was ?? "", is ?? "")}`];
  });
}

function firstDifference(was: string, is: string): string {
  let at = 0;
  while (was[at] === is[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 80), at + 80);
  return `\n  - ${around(was)}\n  + ${around(is)}`;
}

// `node tests/support/content/same-pages.ts <before> <after>`: checks that a renaming changes nothing else.
if (import.meta.main) {
  const [before = "", after = ""] = process.argv.slice(2);
  const reports = findDifferences(before, after);
  for (const report of reports) console.log(report);
  console.log(reports.length === 0 ? `The same: ${listPages(after).length} pages` : `${reports.length} pages differ`);
  process.exitCode = reports.length === 0 ? 0 : 1;
}
