import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, posix, relative, sep } from "node:path";
import { compile } from "@tailwindcss/node";
import { Scanner } from "@tailwindcss/oxide";
import ts from "typescript";

export const root = join(import.meta.dirname, "../../..");
const folders = ["src", "server", "i18n", "mini-program", "tests", "scripts", "bench"];
const code = /\.(ts|tsx|mjs|js|astro)$/;

export interface Source {
  /** Path from the project's root, with `/`. */
  path: string;
  text: string;
}

interface Import {
  from: string;
  /** Path from the project's root for own files, otherwise the package's name. */
  to: string;
  ours: boolean;
  /** Written as a path from the file, not as `#` and one from the root. */
  relative: boolean;
  typeOnly: boolean;
}

/** Returns every source file of the project, in order. */
export function sources(): Source[] {
  return (
    folders
      .filter((folder) => existsSync(join(root, folder)))
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
      )
      .map((path) => path.split(sep).join("/"))
      // Names that start with a dot are generated, and so is what lies in dist.
      .filter((path) => code.test(path) && !/\/(\.|dist\/)/.test(path))
      .sort()
      .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
  );
}

/** Returns the scripts of a source: the file itself, or front matter and script elements of an .astro file. Inline ones are not bundled. */
export function parseScripts(
  { path, text }: Source,
  inline: "with inline" | "without inline" = "without inline",
): ts.SourceFile[] {
  const kind = path.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const parse = (script: string) => ts.createSourceFile(path, script, ts.ScriptTarget.Latest, true, kind);
  if (!path.endsWith(".astro")) return [parse(text)];
  const front = /^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? "";
  return [
    front,
    ...Array.from(text.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g))
      .filter(([, attributes = ""]) => inline === "with inline" || !attributes.includes("is:inline"))
      .map(([, , script = ""]) => script),
  ].map(parse);
}

/** Returns the markup of an .astro file as JSX, close enough to find its expressions. */
export function parseMarkup({ path, text }: Source): ts.SourceFile[] {
  if (!path.endsWith(".astro")) return [];
  const markup = text
    .replace(/^---\n[\s\S]*?\n---/, "")
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, "")
    .replace(/<!--[\s\S]*?-->|<!doctype[^>]*>/gi, "")
    .replace(/=(`(?:[^`\\]|\\.)*`)/g, "={$1}");
  return [ts.createSourceFile(path, `<>${markup}</>`, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)];
}

export function visit(node: ts.Node, callback: (node: ts.Node) => void): void {
  callback(node);
  ts.forEachChild(node, (child) => visit(child, callback));
}

/** Returns the imports of a source: static, re-exported, dynamic and `import()` types. */
export function parseImports(source: Source): Import[] {
  const imports: Import[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const { text } = specifier;
    const relative = text.startsWith(".");
    const to = relative ? posix.join(posix.dirname(source.path), text) : text.replace(/^#/, "");
    imports.push({ from: source.path, to, ours: relative || text.startsWith("#"), relative, typeOnly });
  };
  for (const script of parseScripts(source)) {
    visit(script, (node) => {
      if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node.importClause));
      else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
      else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false);
      else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    });
  }
  return imports;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  return (
    !clause.name &&
    !!named &&
    ts.isNamedImports(named) &&
    named.elements.length > 0 &&
    named.elements.every((one) => one.isTypeOnly)
  );
}

/** Returns the first part of a path below a folder, without extension: `order` for `src/features/order/store.ts`. */
export function getWord(path: string, folder: string): string {
  const [first = ""] = relative(folder, path).split(sep);
  return first.slice(0, first.length - extname(first).length);
}

/** Returns the utilities that the sources name and Tailwind's scanner does not see, such as one that ends where a placeholder begins. */
export async function findUnseenUtilities(all: Source[]): Promise<string[]> {
  const seen = new Set(
    new Scanner({}).scanFiles(all.map(({ path, text }) => ({ content: text, extension: extname(path).slice(1) }))),
  );
  const words = new Set(all.flatMap(({ text }) => text.split(/[\s"'`]|\$\{/)).filter((word) => /[-:[]/.test(word)));
  const sheet = join(root, "src/styles/site.css");
  // Without our own sheets, every class is a utility.
  const css = readFileSync(sheet, "utf8").replace(/@import "\.\/[^;]+;/g, "");
  const tailwind = await compile(css, { base: dirname(sheet), onDependency: () => undefined });
  let size = tailwind.build([]).length;
  return [...words].filter((word) => {
    if (seen.has(word)) return false;
    const before = size;
    size = tailwind.build([word]).length;
    return size !== before;
  });
}
