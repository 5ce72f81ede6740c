/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export const inlineCode = (text: string) => `<code>${escapeHtml(text)}</code>`;

/** Renders a value as JSON in a block that scrolls, by keyboard too. */
export const codeBlock = (label: string, value: unknown) =>
  `<pre tabindex="0" role="region" aria-label="${escapeHtml(label)}">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;

/** Renders pairs of HTML as a definition list. */
export const definitionList = (rows: [term: string, description: string][]) =>
  `<dl>${rows.map(([term, description]) => `<div><dt>${term}</dt><dd>${description}</dd></div>`).join("")}</dl>`;
