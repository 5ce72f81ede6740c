import { type Atrule, type CssNode, type Declaration, generate, type List, type ListItem, walk } from "css-tree";
import type { UsedNames } from "./selectors.ts";

interface Use {
  declaration: Declaration;
  text: string;
  /** The keyframes, font or registered property that the declaration belongs to. */
  within: Atrule | null;
}

const conditional = /keyframes$|^font-face$|^property$/;

/** Removes unreferenced custom properties, keyframes, fonts and property registrations, then empty rules. */
export function removeUnreferenced(tree: CssNode, page: UsedNames): void {
  const uses = collectUses(tree);
  const references = collectReferences(uses, page);
  walk(tree, {
    enter(node: CssNode, item: ListItem<CssNode>, list: List<CssNode>) {
      if (node.type === "Declaration" && node.property.startsWith("--") && !references.properties.has(node.property))
        list.remove(item);
      if (node.type === "Atrule" && conditional.test(node.name) && !isReferenced(node, references)) list.remove(item);
    },
  });
  walk(tree, {
    leave(node: CssNode, item: ListItem<CssNode>, list: List<CssNode>) {
      if (node.type === "Rule" && node.block.children.isEmpty) list.remove(item);
      if (node.type === "Atrule" && node.block?.children.isEmpty) list.remove(item);
    },
  });
}

function collectUses(tree: CssNode): Use[] {
  const uses: Use[] = [];
  walk(tree, function (node) {
    if (node.type !== "Declaration") return;
    uses.push({
      declaration: node,
      text: generate(node.value),
      within: this.atrule && conditional.test(this.atrule.name) ? this.atrule : null,
    });
  });
  return uses;
}

interface References {
  properties: Set<string>;
  /** The values of all used declarations, in lower case. */
  text: string;
}

/** Returns the references of all used declarations, transitively. */
function collectReferences(uses: Use[], page: UsedNames): References {
  const named: References = { properties: new Set(), text: "" };
  let waiting = uses.filter(({ within }) => within === null || within.name.endsWith("keyframes"));
  for (let grown = true; grown; ) {
    const counts = ({ declaration: { property }, within }: Use) =>
      (!property.startsWith("--") || named.properties.has(property) || page.names(property)) &&
      (!within || isReferenced(within, named));
    const now = waiting.filter(counts);
    waiting = waiting.filter((use) => !now.includes(use));
    for (const { declaration, text } of now) {
      if (declaration.property.startsWith("--")) named.properties.add(declaration.property);
      for (const [property] of text.matchAll(/--[\w-]+/g)) named.properties.add(property);
      named.text += `${text.toLowerCase()} `;
    }
    grown = now.length > 0;
  }
  return named;
}

function isReferenced(rule: Atrule, named: References): boolean {
  const prelude = rule.prelude ? generate(rule.prelude) : "";
  if (rule.name === "property") return named.properties.has(prelude);
  if (rule.name.endsWith("keyframes")) {
    return named.text.split(/[^\w-]+/).includes(prelude.replace(/["']/g, "").toLowerCase());
  }
  return familyOf(rule).some((family) => named.text.includes(family));
}

function familyOf(font: Atrule): string[] {
  return (font.block?.children.toArray() ?? []).flatMap((node) =>
    node.type === "Declaration" && node.property === "font-family"
      ? [generate(node.value).replace(/["']/g, "").toLowerCase()]
      : [],
  );
}
