import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import getPort from "get-port";

export const readGuide = () => readFileSync(join(import.meta.dirname, "../../../docs/hosting.md"), "utf8");

/** Ports of a configuration: its site's, and the one that stands for port 80. */
interface Ports {
  https: number;
  http: number;
}

/**
 * Returns the configuration of docs/hosting.md that contains `part`, with `replacements` of its texts and the test's ports, without TLS
 * and Brotli, whose certificates and module the operator provides.
 */
export function readDocumentedNginx(part: string, { https, http }: Ports, replacements: Record<string, string>): string {
  const blocks = Array.from(readGuide().matchAll(/```nginx\n([\s\S]*?)```/g), ([, block = ""]) => block);
  const block = blocks.find((text) => text.includes(part));
  if (!block) throw new Error(`docs/hosting.md has no nginx configuration with ${part}`);
  const local = block
    .replace(/^ *(?:ssl_certificate|brotli_static).*\n/gm, "")
    .replace("listen 443 ssl;", `listen 127.0.0.1:${https};`)
    .replace("listen 80;", `listen 127.0.0.1:${http};`);
  return Object.entries(replacements).reduce((text, [from, to]) => text.replaceAll(from, to), local);
}

export interface Nginx {
  port: number;
  origin: string;
  /** Returns its error log so far. */
  log(): string;
  stop(): Promise<void>;
}

/** Returns the path of nginx, or null. Searches PATH and Debian's location, which is often not on PATH. */
function findNginx(): string | null {
  const folders = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/usr/local/sbin", "/usr/local/bin"];
  return folders.map((folder) => join(folder, "nginx")).find((path) => existsSync(path)) ?? null;
}

/** For `describe.skipIf`: returns true when nginx is missing. Throws when REQUIRE_NGINX is set. */
export function isWithoutNginx(): boolean {
  if (findNginx()) return false;
  const message = "nginx was not found: tests on it are skipped (Debian: apt-get install nginx-light)";
  if (process.env.REQUIRE_NGINX) throw new Error(message);
  console.warn(message);
  return true;
}

/**
 * Starts an nginx on a free port in a temporary folder, as the user who runs the tests. `http` returns the content of `http { }`,
 * at least `server { listen 127.0.0.1:<port>; … }`. Throws with nginx's output when the configuration is invalid.
 */
export async function startNginx(http: (port: number) => string): Promise<Nginx> {
  const program = findNginx();
  if (!program) throw new Error("there is no nginx");
  const folder = mkdtempSync(join(tmpdir(), "entrance-nginx-"));
  const port = await getPort();
  const log = join(folder, "error.log");
  writeFileSync(join(folder, "nginx.conf"), configuration(folder, mimeTypes(program), http(port)));
  const child = spawn(program, ["-p", folder, "-e", log, "-c", join(folder, "nginx.conf")], { stdio: "ignore" });
  const ended = once(child, "exit");
  const atExit = () => child.kill("SIGTERM");
  process.once("exit", atExit);
  const printed = () => (existsSync(log) ? readFileSync(log, "utf8") : "");
  const stop = async () => {
    process.off("exit", atExit);
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const failed = ended.then(() => {
    throw new Error(`nginx ended: ${printed()}`);
  });
  try {
    await Promise.race([waitUntilListening(port), failed]);
  } catch (error) {
    await stop();
    throw error;
  }
  failed.catch(() => {});
  return { port, origin: `http://127.0.0.1:${port}`, log: printed, stop };
}

function configuration(folder: string, types: string, http: string): string {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return [
    // Workers of root would run as nobody, who may not read the tests' folders.
    ...(process.getuid?.() === 0 ? ["user root;"] : []),
    "daemon off;",
    "worker_processes 1;",
    `pid ${folder}/nginx.pid;`,
    "events { worker_connections 1024; }",
    "http {",
    "access_log off;",
    `include ${types};`,
    ...kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`),
    http,
    "}",
    "",
  ].join("\n");
}

/** Returns the path of the mime.types file that belongs to the program. */
function mimeTypes(program: string): string {
  const folders = ["/etc/nginx", "/usr/local/etc/nginx", "/opt/homebrew/etc/nginx", join(dirname(program), "../conf")];
  const file = folders.map((folder) => join(folder, "mime.types")).find((path) => existsSync(path));
  if (!file) throw new Error("nginx has no mime.types");
  return file;
}

/** Resolves as soon as a local port accepts connections. Throws after `timeout` ms. */
export async function waitUntilListening(port: number, timeout = 20_000): Promise<void> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const responses = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (responses) return;
    if (Date.now() > deadline) throw new Error(`nothing listens on ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

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
    const dynamic = dynamics.find(({ pattern }) => pattern.test(path));
    const rule = statics.get(path) ?? dynamic?.rule;
    if (!rule) return resolveFile(path);
    const values = (!statics.has(path) && dynamic?.pattern.exec(path)?.groups) || {};
    const to = rule.to.replace(/:([A-Za-z]\w*)/g, (placeholder, name: string) => values[name] ?? placeholder);
    return rule.status === 200 ? resolveFile(to) : `${rule.status} ${to}`;
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
  return new RegExp(`^${escaped.replaceAll("*", "(?<splat>.*)").replace(/:([A-Za-z]\w*)/g, "(?<$1>[^/]+)")}$`);
}
