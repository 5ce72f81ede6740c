import type { CssNode, Selector } from "css-tree";

/** Names that a page uses or may use: `names` are classes and ids, `words` elements and attributes in lower case. */
export interface UsedNames {
  names(name: string): boolean;
  words(word: string): boolean;
}

/** Pseudo-elements that only these elements have. */
const owners: [part: RegExp, elements: string[]][] = [
  [/^(file-selector-button|-webkit-(date|calendar|search|inner-spin|outer-spin))/, ["input"]],
  [/^placeholder$/, ["input", "textarea"]],
  [/^backdrop$/, ["dialog", "popover"]],
  [/^(details-content|marker)$/, ["details", "summary", "li", "ol", "ul"]],
];

const alternatives = new Set(["is", "where", "has", "matches", "-webkit-any"]);

/** Returns whether a selector can match on a page. Arguments of `:not()` and `:nth-*()` are ignored. */
export function canMatch(selector: Selector, page: UsedNames): boolean {
  return selector.children.toArray().every((node) => partCanMatch(node, page));
}

function partCanMatch(node: CssNode, page: UsedNames): boolean {
  switch (node.type) {
    case "ClassSelector":
    case "IdSelector":
      return page.names(unescaped(node.name));
    case "TypeSelector":
      return node.name.endsWith("*") || page.words(node.name.toLowerCase());
    case "AttributeSelector":
      return page.words(node.name.name.toLowerCase());
    case "PseudoElementSelector": {
      const elements = owners.find(([part]) => part.test(node.name))?.[1];
      return !elements || elements.some((element) => page.words(element));
    }
    case "PseudoClassSelector": {
      if (!alternatives.has(node.name) || !node.children) return true;
      const lists = node.children.toArray().filter((child) => child.type === "SelectorList");
      const inner = lists.flatMap((list) => list.children.toArray()).filter((child) => child.type === "Selector");
      return inner.length === 0 || inner.some((child) => canMatch(child, page));
    }
    default:
      return true;
  }
}

/** Removes the escapes that css-tree leaves in names: `md\:p-8`, `w-1\/2`, `\31 23`. */
function unescaped(name: string): string {
  return name.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, code: string | undefined, plain: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : plain,
  );
}
