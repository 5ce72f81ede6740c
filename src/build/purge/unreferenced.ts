import { type Atrule, type CssNode, type Declaration, generate, type List } from "css-tree";
import type { UsedNames } from "./selectors.ts";

interface Use {
  property: string;
  facts: Facts;
  /** The keyframes, font or registered property that the declaration belongs to. */
  atrule: Atrule | null;
}

/** What the value of a declaration names. */
interface Facts {
  properties: string[];
  /** In lower case. */
  text: string;
  words: string[];
}

const conditional = /keyframes$|^font-face$|^property$/;

/** Removes unreferenced custom properties, keyframes, fonts and property registrations, then empty rules. */
export function removeUnreferenced(nodes: List<CssNode>, page: UsedNames): void {
  removeFrom(nodes, collectReferences(collectUses(nodes), page));
}

function removeFrom(nodes: List<CssNode>, references: References): void {
  nodes.forEach((node, item) => {
    if (node.type === "Declaration" && node.property.startsWith("--") && !references.properties.has(node.property))
      nodes.remove(item);
    else if (node.type === "Atrule" && conditional.test(node.name) && !isReferenced(node, references)) nodes.remove(item);
    else if ((node.type === "Rule" || node.type === "Atrule") && node.block) {
      removeFrom(node.block.children, references);
      if (node.block.children.isEmpty) nodes.remove(item);
    }
  });
}

function collectUses(nodes: List<CssNode>, atrule: Atrule | null = null): Use[] {
  return nodes.toArray().flatMap((node): Use[] => {
    if (node.type === "Declaration") return [{ property: node.property, facts: getFacts(node), atrule }];
    if (node.type === "Rule") return collectUses(node.block.children, atrule);
    if (node.type !== "Atrule" || !node.block) return [];
    return collectUses(node.block.children, conditional.test(node.name) ? node : null);
  });
}

/** Pages share most declarations. */
const factsCache = new WeakMap<Declaration, Facts>();

function getFacts(declaration: Declaration): Facts {
  const cached = factsCache.get(declaration);
  if (cached) return cached;
  const value = generate(declaration.value);
  const text = value.toLowerCase();
  const facts = { properties: value.match(/--[\w-]+/g) ?? [], text, words: text.split(/[^\w-]+/) };
  factsCache.set(declaration, facts);
  return facts;
}

interface References {
  properties: Set<string>;
  words: Set<string>;
  /** The values of all used declarations. */
  texts: string[];
}

/** Returns the references of all used declarations, transitively. */
function collectReferences(uses: Use[], page: UsedNames): References {
  const references: References = { properties: new Set(), words: new Set(), texts: [] };
  let pending = uses.filter(({ atrule }) => atrule === null || atrule.name.endsWith("keyframes"));
  for (let hasNew = true; hasNew; ) {
    const isUsed = ({ property, atrule }: Use) =>
      (!property.startsWith("--") || references.properties.has(property) || page.names(property)) &&
      (!atrule || isReferenced(atrule, references));
    const used = new Set(pending.filter(isUsed));
    pending = pending.filter((use) => !used.has(use));
    for (const { property, facts } of used) {
      if (property.startsWith("--")) references.properties.add(property);
      for (const reference of facts.properties) references.properties.add(reference);
      for (const word of facts.words) references.words.add(word);
      references.texts.push(facts.text);
    }
    hasNew = used.size > 0;
  }
  return references;
}

function isReferenced(rule: Atrule, { properties, words, texts }: References): boolean {
  const prelude = rule.prelude ? generate(rule.prelude) : "";
  if (rule.name === "property") return properties.has(prelude);
  if (rule.name.endsWith("keyframes")) return words.has(prelude.replace(/["']/g, "").toLowerCase());
  return getFontFamilies(rule).some((family) => texts.some((text) => text.includes(family)));
}

function getFontFamilies(font: Atrule): string[] {
  return (font.block?.children.toArray() ?? []).flatMap((node) =>
    node.type === "Declaration" && node.property === "font-family"
      ? [generate(node.value).replace(/["']/g, "").toLowerCase()]
      : [],
  );
}
