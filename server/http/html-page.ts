import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { html, raw } from "hono/html";
import type { Locale } from "#i18n/locale.ts";

const style = readFileSync(join(import.meta.dirname, "page.css"), "utf8");

/** Text, which `html` escapes, or a result of `html`, which it inserts unchanged. */
export type HtmlContent = string | ReturnType<typeof html>;

interface HtmlPage {
  locale: Locale;
  title: string;
  body: HtmlContent;
  /** Further elements of the head. */
  head?: HtmlContent;
}

/** Renders a page of the server itself, without scripts or subresources. Search engines do not list it. */
export function renderHtmlPage({ locale, title, body, head }: HtmlPage): HtmlContent {
  return html`<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">${head}<title>${title}</title><style>${raw(style)}</style></head><body>${body}</body></html>\n`;
}

/** Returns the policy of such a page, which may send its forms to itself or nowhere. */
export const getPagePolicy = (formAction: "self" | "none"): string =>
  `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; base-uri 'none'; form-action '${formAction}'; frame-ancestors 'none'`;
