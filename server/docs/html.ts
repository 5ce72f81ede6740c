/** Text as it stands in HTML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export const code = (text: string) => `<code>${escapeHtml(text)}</code>`;

/** What does not fit is scrolled, by keyboard too. */
export const list = (label: string, value: unknown) =>
  `<pre tabindex="0" role="region" aria-label="${escapeHtml(label)}">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;

/** Rows of names and what is said of them. Both sides are HTML already. */
export const pairs = (rows: [name: string, says: string][]) =>
  `<dl>${rows.map(([name, says]) => `<div><dt>${name}</dt><dd>${says}</dd></div>`).join("")}</dl>`;
