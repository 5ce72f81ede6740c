import { type Atrule, type CssNode, type Declaration, generate, type List, type ListItem, walk } from "css-tree";
import type { UsedNames } from "./selectors.ts";

interface Use {
  declaration: Declaration;
  text: string;
  /** The keyframes, font or registered property that the declaration belongs to. */
  atrule: Atrule | null;
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
      atrule: this.atrule && conditional.test(this.atrule.name) ? this.atrule : null,
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
  const references: References = { properties: new Set(), text: "" };
  let pending = uses.filter(({ atrule }) => atrule === null || atrule.name.endsWith("keyframes"));
  for (let hasNew = true; hasNew; ) {
    const isUsed = ({ declaration: { property }, atrule }: Use) =>
      (!property.startsWith("--") || references.properties.has(property) || page.names(property)) &&
      (!atrule || isReferenced(atrule, references));
    const used = pending.filter(isUsed);
    pending = pending.filter((use) => !used.includes(use));
    for (const { declaration, text } of used) {
      if (declaration.property.startsWith("--")) references.properties.add(declaration.property);
      for (const [property] of text.matchAll(/--[\w-]+/g)) references.properties.add(property);
      references.text += `${text.toLowerCase()} `;
    }
    hasNew = used.length > 0;
  }
  return references;
}

function isReferenced(rule: Atrule, references: References): boolean {
  const prelude = rule.prelude ? generate(rule.prelude) : "";
  if (rule.name === "property") return references.properties.has(prelude);
  if (rule.name.endsWith("keyframes")) {
    return references.text.split(/[^\w-]+/).includes(prelude.replace(/["']/g, "").toLowerCase());
  }
  return getFontFamilies(rule).some((family) => references.text.includes(family));
}

function getFontFamilies(font: Atrule): string[] {
  return (font.block?.children.toArray() ?? []).flatMap((node) =>
    node.type === "Declaration" && node.property === "font-family"
      ? [generate(node.value).replace(/["']/g, "").toLowerCase()]
      : [],
  );
}
