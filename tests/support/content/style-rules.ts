import { type CssNode, clone, find, generate, ident, type List, parse, type Selector, walk } from "css-tree";

/** One selector of a style sheet. */
export interface StyleRule {
  /** The selector and the conditions around it. */
  name: string;
  selector: string;
  classes: string[];
  /** Matches what the rule may come to match: the selector without states, pseudo-elements and values of attributes. */
  target: string;
  /** The custom properties that it sets; empty where it sets more. */
  properties: string[];
}

/** Returns the rules of a style sheet, without nested ones. */
export function listStyleRules(css: string): StyleRule[] {
  const tree = parse(css);
  return tree.type === "StyleSheet" ? listRules(tree.children, "") : [];
}

function listRules(nodes: List<CssNode>, conditions: string): StyleRule[] {
  return nodes.toArray().flatMap((node): StyleRule[] => {
    if (node.type === "Atrule" && node.block && !/keyframes$|^font-face$|^property$/.test(node.name))
      return listRules(node.block.children, `${conditions}@${node.name} ${node.prelude ? generate(node.prelude) : ""} `);
    if (node.type !== "Rule" || node.prelude.type !== "SelectorList") return [];
    const set = node.block.children.toArray().map((one) => (one.type === "Declaration" ? one.property : one.type));
    const properties = set.every((name) => name.startsWith("--")) ? set : [];
    const selectors = node.prelude.children.toArray().flatMap((one) => (one.type === "Selector" ? splitAlternatives(one) : []));
    return selectors.map((one) => {
      const selector = generate(one);
      return { name: conditions + selector, selector, classes: getClasses(one), target: toTarget(one), properties };
    });
  });
}

/** Returns the list within the first `:is()` or `:where()` with several alternatives. */
function getAlternatives(selector: CssNode): List<CssNode> | null {
  const node = find(selector, (one) => {
    const first = one.type === "PseudoClassSelector" && /^(is|where)$/.test(one.name) && one.children?.first;
    return !!first && first.type === "SelectorList" && first.children.size > 1;
  });
  const first = node?.type === "PseudoClassSelector" ? node.children?.first : null;
  return first?.type === "SelectorList" ? first.children : null;
}

/** Splits `:is(h1, h2)` into `:is(h1)` and `:is(h2)`: a page has those that it can use. */
function splitAlternatives(selector: Selector): Selector[] {
  const count = getAlternatives(selector)?.size ?? 0;
  if (count === 0) return [selector];
  return Array.from({ length: count }, (_, index) => {
    const copy = clone(selector);
    const alternatives = getAlternatives(copy);
    const one = alternatives?.toArray()[index];
    alternatives?.clear();
    if (one) alternatives?.appendData(one);
    return copy.type === "Selector" ? splitAlternatives(copy) : [];
  }).flat();
}

function getClasses(selector: Selector): string[] {
  const classes: string[] = [];
  walk(selector, (node) => {
    if (node.type === "ClassSelector") classes.push(ident.decode(node.name));
  });
  return classes;
}

const parseSelector = (text: string) => parse(text, { context: "selector" });

function toTarget(selector: Selector): string {
  const target = clone(selector);
  walk(target, (node, item) => {
    if (node.type === "AttributeSelector") Object.assign(node, { matcher: null, value: null, flags: null });
    const isState = node.type === "PseudoClassSelector" && !/^(is|where|has|root)$/.test(node.name);
    if (isState || node.type === "PseudoElementSelector")
      item.data = parseSelector(node.name === "backdrop" ? ":is(dialog,[popover])" : ":is(*)");
  });
  return generate(target);
}
