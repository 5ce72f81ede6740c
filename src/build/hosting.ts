import { forms, inForm } from "../../i18n/locale.ts";
import { type Route, routes, shellParam } from "../routes.ts";
import { nginxSnippet } from "./nginx.ts";
import { immutable, securityHeaders } from "./security-headers.ts";

/** Rules for hosts that are not ours, all from the one table of URLs. Files that exist come before any rule. */
export function hostingFiles(): Record<string, string> {
  return { _redirects: redirects(), _headers: headerFile(), ".hosting/nginx.conf": nginxSnippet() };
}

const shells = Object.values<Route>(routes).filter(({ shell }) => shell);

/** Netlify's and Cloudflare Pages' rewrites; both drop a trailing slash and `.html` by themselves. */
function redirects(): string {
  const rewrites = forms.flatMap((form) =>
    shells.map(({ path }) => {
      const from = inForm(form, path.replace(/\{(\w+)\}/g, ":$1"));
      return `${from} ${inForm(form, path.replace(/\{\w+\}/g, shellParam))} 200`;
    }),
  );
  const missing = forms.filter(Boolean).map((form) => `${form}/* ${form}/404.html 404`);
  return [...rewrites, ...missing, ""].join("\n");
}

function headerFile(): string {
  const lines = Object.entries(securityHeaders).map(([name, value]) => `  ${name}: ${value}`);
  return ["/*", ...lines, "/_astro/*", `  Cache-Control: ${immutable}`, "/.hosting/*", "  X-Robots-Tag: noindex", ""].join(
    "\n",
  );
}
