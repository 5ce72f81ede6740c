import { type CssNode, clone, generate, List, type ListItem, parse, type Rule, walk } from "css-tree";
import { canMatch, collectNames, toWords, type UsedNames, type Words } from "./selectors.ts";
import { removeUnreferenced } from "./unreferenced.ts";

interface StyleSheet {
  rules: List<CssNode>;
  /** What a page is asked for, each with its place in the answer: a few hundred names, where there are thousands of selectors. */
  names: Map<string, number>;
  words: Map<string, number>;
  /** By the answer of a page. */
  results: Map<string, string>;
}

const sheets = new Map<string, StyleSheet>();

/** Reduces a style sheet to what a page can use: matching rules, and the custom properties, keyframes and fonts they reference. */
export function purge(css: string, page: UsedNames): string {
  const sheet = sheets.get(css) ?? open(css);
  sheets.set(css, sheet);
  // Pages with the same used names share one result.
  const key = askPage(sheet, page);
  const cached = sheet.results.get(key);
  if (cached !== undefined) return cached;
  const children = copyMatching(sheet.rules, page);
  removeUnreferenced(children, page);
  const result = generate({ type: "StyleSheet", children });
  sheet.results.set(key, result);
  return result;
}

/** Returns 1 for each name of the style sheet that the page uses, and 0 for the others. */
function askPage(sheet: StyleSheet, { parts }: UsedNames): string {
  const all = Buffer.alloc(sheet.names.size + sheet.words.size);
  for (const words of parts) for (const at of words.indexes.get(sheet) ?? findIndexes(sheet, words)) all[at] = 1;
  return all.toString("latin1");
}

function findIndexes(sheet: StyleSheet, words: Words): number[] {
  const all = [
    ...Array.from(words.names, (name) => sheet.names.get(name)),
    ...Array.from(words.words, (word) => sheet.words.get(word)),
  ];
  const indexes = all.filter((at) => at !== undefined);
  words.indexes.set(sheet, indexes);
  return indexes;
}

function open(css: string): StyleSheet {
  const tree = parse(css);
  walk(tree, { enter: simplify });
  foldConstants(tree);
  foldTokens(tree);
  const used = toWords(new Set(), new Set());
  walk(tree, (node) => {
    if (node.type === "Selector") collectNames(node, used);
    if (node.type === "Declaration" && node.property.startsWith("--")) used.names.add(node.property);
  });
  const names = new Map(Array.from(used.names, (name, at) => [name, at]));
  const words = new Map(Array.from(used.words, (word, at) => [word, names.size + at]));
  const rules = "children" in tree && tree.children ? tree.children : new List<CssNode>();
  return { rules, names, words, results: new Map() };
}

/** Replaces the registrations of Tailwind's variables by the initial values that it has for browsers without registrations, which are shorter; removes comments. */
function simplify(node: CssNode, item: ListItem<CssNode>, list: List<CssNode>): void {
  if (node.type === "Comment") list.remove(item);
  if (node.type !== "Atrule" || !node.prelude) return;
  const prelude = generate(node.prelude);
  if (node.name === "property" && prelude.startsWith("--tw-")) list.remove(item);
  if (node.name !== "layer" || prelude !== "properties" || !node.block) return;
  node.block.children.forEach((child, at, rules) => {
    if (child.type === "Atrule" && child.name === "supports" && child.block) rules.replace(at, child.block.children);
  });
}

/** Puts the values of Tailwind's variables into their places where no other rule can change them, leaves out shadows that are none, and calculates `-col-end-1`. */
function foldConstants(tree: CssNode): void {
  const initial = new Map<string, string>();
  const set = new Map<Rule | null, Map<string, string>>();
  const read = new Map<Rule | null, string[]>();
  walk(tree, function (node) {
    if (node.type !== "Declaration") return;
    const { rule } = this;
    const text = generate(node.value).trim();
    const isInitial = rule?.prelude.type === "SelectorList" && generate(rule.prelude).startsWith("*");
    read.set(rule, [...(read.get(rule) ?? []), ...Array.from(text.matchAll(/var\((--tw-[\w-]+)/g), ([, name = ""]) => name)]);
    if (node.property.startsWith("--tw-") && isInitial) initial.set(node.property, text);
    else if (node.property.startsWith("--tw-")) set.set(rule, (set.get(rule) ?? new Map()).set(node.property, text));
  });
  const changed = new Set([...set.values()].flatMap((values) => [...values.keys()]));
  /** What a rule reads without setting it. */
  const shared = new Set([...read].flatMap(([rule, names]) => names.filter((name) => !set.get(rule)?.has(name))));
  const fold = (text: string, rule: Rule | null): string =>
    text.replace(/var\((--tw-[\w-]+)(?:,([^()]*))?\)/g, (reference, name: string, fallback = "") => {
      const own = set.get(rule)?.get(name);
      if (!shared.has(name) && own !== undefined) return fold(own, rule);
      const value = initial.get(name);
      return changed.has(name) || value === undefined ? reference : value === "initial" ? fallback : value;
    });
  walk(tree, function (node, item, list) {
    if (node.type !== "Declaration") return;
    const text = generate(node.value);
    // Every border is solid from the start, see `base.css`.
    const isSolid = text === "var(--tw-border-style)" && !changed.has("--tw-border-style");
    if (isSolid || (changed.has(node.property) && !shared.has(node.property))) list.remove(item);
    const folded = fold(text.replace("calc(1*-1)", "-1"), this.rule);
    if (folded === text) return;
    node.value = {
      type: "Raw",
      value: (node.property === "box-shadow" ? folded.replaceAll(/0 0 #0000,\s*/g, "") : folded).trim(),
    };
  });
}

/** Puts the values of custom properties into their places that are set once, for the whole page and in every mode: a value has as few bytes as a name, and no declaration. */
function foldTokens(tree: CssNode): void {
  const values = new Map<string, string | null>();
  walk(tree, function (node) {
    if (node.type !== "Declaration" || !node.property.startsWith("--")) return;
    const isForAll = this.rule && generate(this.rule.prelude) === ":root" && (!this.atrule || this.atrule.name === "layer");
    const value = generate(node.value).trim();
    const isConstant = isForAll && !values.has(node.property) && !value.includes("var(");
    values.set(node.property, isConstant ? value : null);
  });
  walk(tree, (node) => {
    if (node.type !== "Declaration") return;
    const text = generate(node.value);
    const folded = text.replace(/var\((--[\w-]+)\)/g, (reference, name: string) => values.get(name) ?? reference);
    if (folded !== text) node.value = { type: "Raw", value: folded.trim() };
  });
}

/** Copies rules as far as lists may lose something: without selectors that cannot match, and without rules that have none. Keyframes are whole. */
function copyMatching(nodes: List<CssNode>, page: UsedNames): List<CssNode> {
  const copies = new List<CssNode>();
  nodes.forEach((node) => {
    if (node.type === "Atrule" && node.block) {
      const { block } = node;
      const isKeyframes = /keyframes$/.test(node.name);
      copies.appendData(
        isKeyframes ? clone(node) : { ...node, block: { ...block, children: copyMatching(block.children, page) } },
      );
    } else if (node.type === "Rule") {
      const prelude = copySelectors(node.prelude, page);
      if (prelude.type === "SelectorList" && prelude.children.isEmpty) return;
      copies.appendData({ ...node, prelude, block: { ...node.block, children: copyMatching(node.block.children, page) } });
    } else copies.appendData(node);
  });
  return copies;
}

function copySelectors(prelude: Rule["prelude"], page: UsedNames): Rule["prelude"] {
  if (prelude.type !== "SelectorList") return prelude;
  const children = prelude.children.filter((selector) => selector.type !== "Selector" || canMatch(selector, page));
  return { ...prelude, children };
}
