import { html } from "hono/html";
import { getStyleSource, renderHtmlPage } from "../http/html-page.ts";

const style =
  ":root{color-scheme:light dark;font:1.125rem/1.6 system-ui,sans-serif}body{display:grid;min-height:90vh;place-content:center;text-align:center}p{margin:.25rem}";

export const waitingPolicy = `default-src 'none'; style-src ${getStyleSource(style)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Shown while there is no built site; reloads every 2 s. */
export const waitingPage = renderHtmlPage({
  locale: "zh-CN",
  title: "社交新体验 · A New Generation of Music World",
  style,
  head: html`<meta http-equiv="refresh" content="2">`,
  body: html`<h1>马上就好</h1><p>网站正在准备，页面会自动打开。</p><p lang="en-US">The site is being made ready. This page opens it by itself.</p>`,
});
