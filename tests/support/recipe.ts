import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Change {
  file: string;
  /** Lines as they are, and as they become. */
  hunks: { old: string; fresh: string }[];
}

/** The changes that a recipe of the README asks for: diffs, each under the name of its file, with `@@` between places. */
export function changesOf(recipe: string): Change[] {
  return Array.from(recipe.matchAll(/^`([\w./-]+)`\n\n```diff\n([\s\S]*?)^```$/gm), ([, file = "", diff = ""]) => ({
    file,
    hunks: diff.split(/^@@\n/m).map(hunkOf),
  }));
}

function hunkOf(diff: string): Change["hunks"][number] {
  const lines = diff.split("\n").slice(0, -1);
  const side = (other: string) => lines.filter((line) => !line.startsWith(other)).map((line) => `${line.slice(1)}\n`);
  return { old: side("+").join(""), fresh: side("-").join("") };
}

/** Does what a change says. Throws where its lines are not there, or there twice. */
export function apply({ file, hunks }: Change, folder: string): void {
  const path = join(folder, file);
  let text = readFileSync(path, "utf8");
  for (const { old, fresh } of hunks) {
    const places = `\n${text}`.split(`\n${old}`).length - 1;
    if (places !== 1) throw new Error(`${file} has ${places} places for:\n${old}`);
    text = `\n${text}`.replace(`\n${old}`, () => `\n${fresh}`).slice(1);
  }
  writeFileSync(path, text);
}
