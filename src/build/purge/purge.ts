import { type CssNode, clone, generate, type List, parse, type Selector, walk } from "css-tree";
import { canMatch, type UsedNames } from "./selectors.ts";
import { removeUnreferenced } from "./unreferenced.ts";

interface StyleSheet {
  id: number;
  tree: CssNode;
  selectors: Selector[];
  properties: string[];
}

const sheets = new Map<string, StyleSheet>();
const results = new Map<string, string>();

/** Reduces a style sheet to what a page can use: matching rules, and the custom properties, keyframes and fonts they reference. */
export function purge(css: string, page: UsedNames): string {
  const sheet = sheets.get(css) ?? open(css);
  sheets.set(css, sheet);
  // Pages with the same used names share one result.
  const bits = [...sheet.selectors.map((node) => canMatch(node, page)), ...sheet.properties.map((name) => page.names(name))];
  const key = `${sheet.id}:${bits.map(Number).join("")}`;
  const cached = results.get(key);
  if (cached !== undefined) return cached;
  const tree = clone(sheet.tree);
  if ("children" in tree && tree.children) filterRules(tree.children, page);
  removeUnreferenced(tree, page);
  const result = generate(tree);
  results.set(key, result);
  return result;
}

function open(css: string): StyleSheet {
  const tree = parse(css);
  const selectors: Selector[] = [];
  const properties = new Set<string>();
  walk(tree, (node) => {
    if (node.type === "Selector") selectors.push(node);
    if (node.type === "Declaration" && node.property.startsWith("--")) properties.add(node.property);
  });
  return { id: sheets.size, tree, selectors, properties: [...properties] };
}

/** Removes selectors that cannot match, and rules without selectors. Skips the steps of keyframes. */
function filterRules(nodes: List<CssNode>, page: UsedNames): void {
  nodes.forEach((node, item) => {
    if (node.type === "Atrule" && node.block && !/keyframes$/.test(node.name)) filterRules(node.block.children, page);
    if (node.type !== "Rule") return;
    if (node.prelude.type === "SelectorList") {
      const { children } = node.prelude;
      children.forEach((selector, item) => {
        if (selector.type === "Selector" && !canMatch(selector, page)) children.remove(item);
      });
      if (children.isEmpty) {
        nodes.remove(item);
        return;
      }
    }
    filterRules(node.block.children, page);
  });
}
