import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Change {
  file: string;
  hunks: Line[][];
}

/** A diff line: sign and text. */
interface Line {
  sign: string;
  text: string;
}

/** Parses the changes of a recipe in CONTRIBUTING.md: diffs, each under its file name, with `@@` between hunks. */
export function parseRecipe(recipe: string): Change[] {
  return Array.from(recipe.matchAll(/^`([\w./-]+)`\n\n```diff\n([\s\S]*?)^```$/gm), ([, file = "", diff = ""]) => ({
    file,
    hunks: diff.split(/^@@\n/m).map((hunk) => hunk.split("\n").slice(0, -1).map(parseLine)),
  }));
}

const parseLine = (line: string): Line => ({ sign: line.charAt(0), text: line.slice(1) });

/** Applies a change like a person: skips applied hunks and tolerates lines in between. Throws when the file has no matching position. */
export function apply({ file, hunks }: Change, folder: string): void {
  const path = join(folder, file);
  const lines = hunks.reduce((text, hunk) => applyHunk(file, text, hunk), readFileSync(path, "utf8").split("\n"));
  writeFileSync(path, lines.join("\n"));
}

function applyHunk(file: string, lines: string[], hunk: Line[]): string[] {
  const side = (sign: string) => hunk.filter((line) => line.sign !== sign).map(({ text }) => text);
  if (findLines(lines, side("-")) >= 0) return lines;
  const at = findLines(lines, side("+"));
  if (at >= 0) return lines.toSpliced(at, side("+").length, ...side("-"));
  // The file contains additional lines.
  return getAddedBlocks(hunk).reduce((text, block) => {
    if (findLines(text, block.lines) >= 0) return text;
    if (block.lines.every((line) => line.startsWith("import "))) return block.lines.reduce(withImport, text);
    return insert(file, text, hunk, block);
  }, lines);
}

interface Block {
  /** Index in its hunk. */
  at: number;
  lines: string[];
}

/** Returns the added lines of a hunk, grouped by adjacency. */
function getAddedBlocks(hunk: Line[]): Block[] {
  return hunk.reduce<Block[]>((blocks, { sign, text }, at) => {
    const last = blocks.at(-1);
    if (sign !== "+") return blocks;
    if (last && last.at + last.lines.length === at) last.lines.push(text);
    else blocks.push({ at, lines: [text] });
    return blocks;
  }, []);
}

/** Returns the index of `part` in `lines`; -1 if it is missing or occurs more than once. */
function findLines(lines: string[], part: string[]): number {
  const positions = lines.flatMap((_, at) => (part.every((text, n) => lines[at + n] === text) ? [at] : []));
  return positions.length === 1 ? (positions[0] ?? -1) : -1;
}

/** Inserts added lines after the preceding line of the hunk, or else before the following one. */
function insert(file: string, lines: string[], hunk: Line[], { at, lines: added }: Block): string[] {
  const before = lines.lastIndexOf(hunk[at - 1]?.text ?? "\0");
  if (before >= 0) return lines.toSpliced(before + 1, 0, ...added);
  const behind = lines.indexOf(hunk[at + added.length]?.text ?? "\0");
  if (behind >= 0) return lines.toSpliced(behind, 0, ...added);
  throw new Error(`The recipe has a line for ${file} that fits nowhere any more: ${added[0]}`);
}

const importPattern = /^import \{ (.*) \} from "(.*)";$/;

/** Adds names to the existing import of a module; a new import comes last. */
function withImport(lines: string[], line: string): string[] {
  const [, names = "", module = ""] = importPattern.exec(line) ?? [];
  const at = lines.findIndex((one) => importPattern.exec(one)?.[2] === module);
  if (at < 0) return lines.toSpliced(lines.findLastIndex((one) => /^(import |\} from )/.test(one)) + 1, 0, line);
  const existingNames = importPattern.exec(lines[at] ?? "")?.[1] ?? "";
  const allNames = [...new Set([...existingNames.split(", "), ...names.split(", ")])];
  return lines.with(at, `import { ${allNames.join(", ")} } from "${module}";`);
}
