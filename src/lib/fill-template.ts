/** Texts by the `data-field` of the element that shows them. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** Sets the texts of an element's fields that differ, so that the others are not painted again. */
export function fillFields(element: Element, fields: Fields): void {
  for (const field of element.querySelectorAll<HTMLElement>("[data-field]")) {
    const text = fields[field.dataset.field ?? ""];
    if (text !== undefined && text !== field.textContent) field.textContent = text;
  }
}

/** Returns a filled copy of the link in a template; null where the page has no such template. */
export function fillTemplate(id: string, href: string, fields: Fields): HTMLAnchorElement | null {
  const template = document.getElementById(id);
  const link = template instanceof HTMLTemplateElement && template.content.firstElementChild?.cloneNode(true);
  if (!(link instanceof HTMLAnchorElement)) return null;
  link.href = href;
  fillFields(link, fields);
  return link;
}
