import { html } from "hono/html";
import type { HtmlContent } from "../http/html-page.ts";

export const inlineCode = (text: string | number) => html`<code>${text}</code>`;

/** Renders a value as JSON in a block that scrolls, by keyboard too. */
export const codeBlock = (label: string, value: unknown) =>
  html`<pre tabindex="0" role="region" aria-label="${label}">${JSON.stringify(value, null, 2)}</pre>`;

export const definitionList = (rows: [term: HtmlContent, description: HtmlContent][]) =>
  html`<dl>${rows.map(([term, description]) => html`<div><dt>${term}</dt><dd>${description}</dd></div>`)}</dl>`;
