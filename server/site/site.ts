import { Hono, type Context as HonoContext } from "hono";
import type { Env } from "../http/envelope.ts";
import { logRequests, type RequestLog } from "../http/request-log.ts";
import type { Proxies } from "../http/trusted-proxies.ts";
import { type Build, followBuilds } from "./files.ts";
import { acceptsBrotli, getCacheControl, getContentType, matchesTag, securityHeaders, strictTransport } from "./headers.ts";
import { errorPage, type PageStatus, resolve } from "./resolve.ts";
import { waitingPage, waitingPolicy } from "./waiting-page.ts";

export interface SiteOptions {
  /** The folder that holds the built site. It may be missing for now, or swapped for another build at any time. */
  dir: string;
  /** Who is believed that the visitor came by https. Nobody, where none is named. */
  proxies?: Proxies;
  /** Is told of every request. */
  log?: RequestLog;
}

/** So many swaps may overtake one request. */
const mostSwaps = 5;

const nobody: Proxies = { addressOf: () => "", protocolOf: () => undefined };

/** Serves the built site: every path that is not the API's. */
export function createSite({ dir, proxies = nobody, log = () => {} }: SiteOptions): Hono<Env> {
  const builds = followBuilds(dir);
  const site = new Hono<Env>();
  site.use(logRequests(log));

  site.all("*", async (c) => {
    c.header("x-request-id", c.get("requestId"));
    for (const [name, value] of Object.entries(securityHeaders)) c.header(name, value);
    if (isHttps(c, proxies)) c.header("strict-transport-security", strictTransport);
    if (c.req.method !== "GET" && c.req.method !== "HEAD") {
      return c.text("Method not allowed\n", 405, { allow: "GET, HEAD" });
    }
    for (let before: Build | null = null, left = mostSwaps; ; left -= 1) {
      const build = await builds.current();
      if (!build) return waiting(c);
      try {
        return await answer(c, build);
      } catch (error) {
        // The build was swapped between looking a file up and reading it: the next one has it, or says so.
        if (build === before || left === 0) throw error;
        before = build;
      }
    }
  });

  site.onError(async (error, c) => {
    console.error(`Request ${c.get("requestId")} failed: ${error.stack}`);
    const build = await builds.current();
    const page = build && errorPage(new URL(c.req.url).pathname, 500, build.has);
    return build && page ? failure(c, build, page).catch(() => plain(c, 500)) : plain(c, 500);
  });
  return site;
}

async function answer(c: HonoContext<Env>, build: Build): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const found = resolve(pathname, build.has);
  if (found.kind === "redirect") return c.redirect(found.to + search, 308);
  if (found.kind === "no-asset") return plain(c, 404);
  if (found.kind === "no-page") return found.file ? send(c, build, found.file, 404) : plain(c, 404);
  return send(c, build, found.file, found.status);
}

async function send(c: HonoContext, build: Build, file: string, status: PageStatus): Promise<Response> {
  const packed = build.has(`${file}.br`);
  const brotli = packed && acceptsBrotli(c.req.header("accept-encoding"));
  const { body, etag } = await build.read(brotli ? `${file}.br` : file);
  c.header("content-type", getContentType(file));
  c.header("cache-control", status === 200 ? getCacheControl(file) : "no-cache");
  if (packed) c.header("vary", "accept-encoding");
  if (file.endsWith(".html")) c.header("content-security-policy", build.policyOf(file));
  if (status === 200) {
    c.header("etag", etag);
    if (matchesTag(c.req.header("if-none-match"), etag)) return c.body(null, 304);
  }
  if (brotli) c.header("content-encoding", "br");
  c.header("content-length", String(body.byteLength));
  return c.body(body, status);
}

/** The page of a request that failed, which names the request as the log does. */
async function failure(c: HonoContext<Env>, build: Build, file: string): Promise<Response> {
  const { body } = await build.read(file);
  c.header("cache-control", "no-store");
  c.header("content-security-policy", build.policyOf(file));
  const html = Buffer.from(body).toString("utf8");
  return c.html(html.replace(' id="request" hidden', ' id="request"').replace("%REQUEST_ID%", c.get("requestId")), 500);
}

function plain(c: HonoContext<Env>, status: 404 | 500): Response {
  c.header("cache-control", "no-cache");
  return c.text(status === 404 ? "Not found\n" : `Internal server error, request ${c.get("requestId")}\n`, status);
}

function waiting(c: HonoContext): Response {
  c.header("retry-after", "2");
  c.header("cache-control", "no-store");
  c.header("content-security-policy", waitingPolicy);
  return c.html(waitingPage, 503);
}

function isHttps(c: HonoContext<Env>, proxies: Proxies): boolean {
  const forwarded = proxies.protocolOf(c.env, (name) => c.req.header(name));
  return (forwarded ?? new URL(c.req.url).protocol.slice(0, -1)) === "https";
}
