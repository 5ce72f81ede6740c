import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { createAdaptorServer } from "@hono/node-server";
import { createTrustedProxies } from "#server/http/client-ip.ts";
import { createListener } from "#server/http/listener.ts";
import { createSite, type SiteOptions } from "#server/site/site.ts";
import { findTags, type Tag } from "#src/build/html.ts";
import { root } from "../rules/sources.ts";

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Writes files into a folder; content of names ending in `.br` is compressed. */
export function writeFiles(dir: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), name.endsWith(".br") ? brotliCompressSync(text) : text);
  }
}

/** Serves a fixture build on a real port. Requests are raw, because `fetch` would normalise a hostile target. */
export async function serveFixture(files: Record<string, string>, options: Partial<Omit<SiteOptions, "dir">> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "site-"));
  const dir = join(folder, "dist");
  writeFiles(dir, files);
  const server = createListener(createSite({ dir, ...directSite, ...options }).fetch);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    dir,
    folder,
    origin: `http://127.0.0.1:${port}`,
    request: (target: string, headers?: Record<string, string>, method?: string) => sendRaw(port, target, headers, method),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends a raw request to a local port on its own connection. */
export async function sendRaw(
  port: number,
  target: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<RawResponse> {
  const socket = connect(port, "127.0.0.1");
  const headerLines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, connection: "close" });
  socket.write(`${method} ${target} HTTP/1.1\r\n${headerLines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const end = bytes.indexOf("\r\n\r\n");
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const responseHeaders = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  return { status: Number(first.split(" ")[1]), headers: Object.fromEntries(responseHeaders), body: bytes.subarray(end + 4) };
}

type Handler = (request: Request) => Response | Promise<Response>;

/** Serves `fetch` on a free port until it is closed. */
export async function serve(fetch: Handler): Promise<{ origin: string; close(): void }> {
  const server = createAdaptorServer({ fetch });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Options of a site without proxies and log. */
const directSite = { proxies: createTrustedProxies({ TRUST_PROXY: 0, TRUSTED_PROXIES: [] }), log: () => {} };

/** Serves a built site like a static host, without an API. */
export const serveFiles = (dir: string) => serve(createSite({ dir, ...directSite }).fetch);

/** Serves a built site and forwards GET calls to `api` with the same token. */
export function serveSite(dir: string, api: string) {
  const site = createSite({ dir, ...directSite });
  return serve((request) => {
    const { pathname, search } = new URL(request.url);
    const headers = { token: request.headers.get("token") ?? "" };
    // The server may have another shop's catalogue, with pictures of its own.
    const isServers = pathname.startsWith("/v1/") || (pathname.startsWith("/pictures/") && !existsSync(join(dir, pathname)));
    return isServers ? fetch(new URL(pathname + search, api), { headers }) : site.fetch(request);
  });
}

export interface BuiltPage {
  /** File in the build. */
  file: string;
  /** Pathname it is served at. */
  path: string;
  html: string;
  tags: Tag[];
}

/** The build under test: `npm test` builds one with its own server; otherwise the tests use the last build. */
export const dist = process.env.TEST_DIST ?? join(root, "dist");

/** Returns every file of a build, with `/`. */
export function builtFiles(folder = dist): string[] {
  if (!existsSync(join(folder, "build.json"))) throw new Error(`There is no build in ${folder}: npm run build`);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.split(sep).join("/"))
    .sort();
}

export function builtPages(folder = dist): BuiltPage[] {
  return builtFiles(folder)
    .filter((file) => file.endsWith(".html"))
    .map((file) => toPage(file, readFileSync(join(folder, file), "utf8")));
}

const toPage = (file: string, html: string): BuiltPage => ({ file, path: toPathname(file), html, tags: findTags(html) });

/** `index.html` is `/`, `en-US/news.html` is `/en-US/news`. */
function toPathname(file: string): string {
  return `/${file.replace(/(^|\/)index\.html$/, "").replace(/\.html$/, "")}`;
}
