import { createHash } from "node:crypto";

const style =
  ":root{color-scheme:light dark;font:1.125rem/1.6 system-ui,sans-serif}body{display:grid;min-height:90vh;place-content:center;text-align:center}p{margin:.25rem}";

/** Shown while there is no built site; reloads every 2 s. */
export const waitingPage = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><meta http-equiv="refresh" content="2"><title>社交新体验 · A New Generation of Music World</title><style>${style}</style><body><h1>马上就好</h1><p>网站正在准备，页面会自动打开。</p><p lang="en-US">The site is being made ready. This page opens it by itself.</p></body></html>
`;

export const waitingPolicy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
