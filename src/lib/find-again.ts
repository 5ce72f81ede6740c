/** Returns selectors of what an element is, the surest first. */
function toSelectors(element: Element): string[] {
  const select = (names: string[]) => {
    const given = names.filter((name) => element.getAttribute(name));
    const parts = given.map((name) => `[${name}="${CSS.escape(element.getAttribute(name) ?? "")}"]`);
    return parts.length > 0 ? [element.localName + parts.join("")] : [];
  };
  // The attribute of other fields follows what is typed.
  const named = element.matches("[type=radio], [type=checkbox]") ? ["name", "value"] : ["name"];
  return [...select(["id"]), ...select(named), ...select(["type", "class"]), element.localName];
}

/**
 * Returns the element of `island` that stands for one of its former content, which React has drawn anew: by its id, its name and value, or what
 * it is and its place among its like. Where others have added or taken some, returns undefined.
 */
export function findAgain(element: Element, former: readonly Element[], island: Element): HTMLElement | undefined {
  for (const selector of toSelectors(element)) {
    const before = former.flatMap((one) => [...(one.matches(selector) ? [one] : []), ...one.querySelectorAll(selector)]);
    const now = island.querySelectorAll<HTMLElement>(selector);
    if (now.length === before.length) return now[before.indexOf(element)];
  }
  return undefined;
}
