/**
 * Simulates Cloudflare Pages as documented (https://developers.cloudflare.com/pages/configuration/redirects/ and …/serving-pages/): which rules of a
 * `_redirects` it accepts, and how it resolves a path.
 */
interface Rule {
  from: string;
  to: string;
  status: number;
}

const codes = new Set([200, 301, 302, 303, 307, 308]);
const limits = { static: 2000, dynamic: 100, line: 1000 };

export interface Pages {
  /** Rejected lines with their reasons. */
  rejected: string[];
  /** Returns the file served at a path, or `<status> <location>`. */
  resolve(path: string): string;
}

export function cloudflarePages(redirects: string, files: readonly string[]): Pages {
  const { statics, dynamics, rejected } = parse(redirects);
  const has = new Set(files.map((file) => `/${file}`));

  function resolve(path: string): string {
    // Rules precede files, static rules precede dynamic ones, and only one rule applies.
    const rule = statics.get(path) ?? dynamics.find(({ pattern }) => pattern.test(path))?.rule;
    if (rule && rule.status !== 200) return `${rule.status} ${rule.to}`;
    return resolveFile(rule?.to ?? path);
  }

  function resolveFile(path: string): string {
    if (path.endsWith("/")) {
      if (has.has(`${path}index.html`)) return `${path}index.html`;
      return has.has(path.replace(/\/$/, ".html")) ? `308 ${path.slice(0, -1)}` : findNotFoundPage(path);
    }
    if (has.has(path)) return path.endsWith(".html") ? `308 ${path.replace(/(index)?\.html$/, "")}` : path;
    return has.has(`${path}.html`) ? `${path}.html` : findNotFoundPage(path);
  }

  /** Returns the 404.html of the nearest parent folder. */
  function findNotFoundPage(path: string): string {
    const folders = path.split("/").slice(0, -1);
    for (let depth = folders.length; depth > 0; depth -= 1) {
      const page = `${folders.slice(0, depth).join("/")}/404.html`;
      if (has.has(page)) return `404 ${page}`;
    }
    return "200 /index.html";
  }
  return { rejected, resolve };
}

function parse(redirects: string) {
  const statics = new Map<string, Rule>();
  const dynamics: { pattern: RegExp; rule: Rule }[] = [];
  const rejected: string[] = [];
  for (const line of redirects.split("\n").filter((one) => one && !one.startsWith("#"))) {
    const [from = "", to = "", code = "302", ...more] = line.split(/\s+/);
    const isDynamic = /\*|:[A-Za-z]\w*/.test(from);
    const isDuplicate = statics.has(from) || dynamics.some(({ rule }) => rule.from === from);
    const count = isDynamic ? dynamics.length : statics.size;
    if (line.length > limits.line || more.length > 0 || !to) rejected.push(`${line}: no rule`);
    else if (!codes.has(Number(code))) rejected.push(`${line}: code ${code}`);
    else if (isDuplicate) rejected.push(`${line}: a second rule for this path`);
    else if (!isDynamic && dynamics.length > 0) rejected.push(`${line}: stands below rules with placeholders`);
    else if (/\/\*?$/.test(from) && /\/index(\.html)?$/.test(to)) rejected.push(`${line}: a loop`);
    else if (count >= (isDynamic ? limits.dynamic : limits.static)) rejected.push(`${line}: one too many`);
    else {
      const rule = { from, to, status: Number(code) };
      if (isDynamic) dynamics.push({ pattern: toPattern(from), rule });
      else statics.set(from, rule);
    }
  }
  return { statics, dynamics, rejected };
}

function toPattern(from: string): RegExp {
  const escaped = from.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replace(/:[A-Za-z]\w*/g, "[^/]+")}$`);
}
