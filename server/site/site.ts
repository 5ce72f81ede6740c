import { Hono, type Context as HonoContext } from "hono";
import { html } from "hono/html";
import type { Locale } from "#i18n/locale.ts";
import type { TrustedProxies } from "#server/http/client-ip.ts";
import { getPagePolicy, renderHtmlPage } from "#server/http/html-page.ts";
import { getClientProtocol, strictTransportSecurity } from "#server/http/protocol.ts";
import type { Env } from "#server/http/request.ts";
import { logRequests, type RequestLog } from "#server/http/request-log.ts";
import { type Build, followBuilds } from "./builds.ts";
import {
  acceptsBrotli,
  type ByteRange,
  getCacheControl,
  getContentType,
  isShared,
  matchesTag,
  parseRange,
  setSecurityHeaders,
} from "./headers.ts";
import { findErrorPage, isAsset, type PageStatus, resolvePath } from "./resolve.ts";

const waitingPolicy = getPagePolicy("none");

/** Shown while there is no built site; reloads every 2 s. */
const renderWaitingPage = (shop: string) =>
  renderHtmlPage({
    locale: "zh-CN",
    title: shop || "马上就好",
    head: html`<meta http-equiv="refresh" content="2">`,
    body: html`<main class="narrow"><h1>${shop || "马上就好"}</h1><p>网站正在准备，页面会自动打开。</p><p lang="en-US">The site is being made ready. This page opens it by itself.</p></main>`,
  });

export interface SiteOptions {
  /** The folder of the built site. It may be missing, or swapped for another build at any time. */
  dir: string;
  /** Proxies whose X-Forwarded-Proto is trusted. */
  proxies: TrustedProxies;
  /** Receives every request. */
  log: RequestLog;
  /** Returns the shop's name in its languages, for the page that visitors see while there is no site; null without one. */
  findTitle?: () => Promise<Record<Locale, string> | null>;
}

/** Retries of a request after swaps of the build. */
const maxRetries = 5;

/** Creates the app that serves the built site: every path that is not the API's. */
export function createSite({ dir, proxies, log, findTitle }: SiteOptions): Hono<Env> {
  const findBuild = followBuilds(dir);
  const site = new Hono<Env>();
  site.use(logRequests(log));
  site.use(async (c, next) => {
    await setSecurityHeaders(c, next);
    if (getClientProtocol(c, proxies) === "https") c.res.headers.set("strict-transport-security", strictTransportSecurity);
    if (isShared(c.req.path)) c.res.headers.set("cross-origin-resource-policy", "cross-origin");
  });

  site.all("*", async (c) => {
    c.header("x-request-id", c.get("requestId"));
    const isRead = ["GET", "HEAD"].includes(c.req.method);
    for (let previous: Build | null = null, retriesLeft = maxRetries; ; retriesLeft -= 1) {
      const build = await findBuild();
      if (!isRead && !build) return sendNotAllowed(c);
      if (!build) return sendWaitingPage(c, (await findTitle?.().catch(() => null)) ?? null);
      try {
        return await (isRead ? sendResolved(c, build) : refuseMethod(c, build));
      } catch (error) {
        // The build was swapped between resolving and reading a file: retries with the next build.
        if (build === previous || retriesLeft === 0) throw error;
        previous = build;
      }
    }
  });

  site.onError(async (error, c) => {
    console.error(`Request ${c.get("requestId")} failed: ${error.stack}`);
    const build = await findBuild();
    const page = build && findErrorPage(new URL(c.req.url).pathname, 500, build.has);
    return build && page ? sendFailure(c, build, page).catch(() => sendText(c, 500)) : sendText(c, 500);
  });
  return site;
}

async function sendResolved(c: HonoContext<Env>, build: Build): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const target = resolvePath(pathname, build);
  if (target.kind === "redirect") return c.redirect(target.to + search, 308);
  if (target.kind === "no-asset") return sendText(c, 404);
  if (target.kind === "no-page") return target.file ? send(c, build, target.file, 404) : sendText(c, 404);
  return send(c, build, target.file, target.status);
}

/** Refuses a method, on the path of a page with a page in the language of the URL. */
async function refuseMethod(c: HonoContext<Env>, build: Build): Promise<Response> {
  const { pathname } = new URL(c.req.url);
  const page = isAsset(pathname) ? null : findErrorPage(pathname, 405, build.has);
  return page ? send(c, build, page, 405) : sendNotAllowed(c);
}

const allowedMethods = "GET, HEAD";
const sendNotAllowed = (c: HonoContext) => c.text("Method not allowed\n", 405, { allow: allowedMethods });

async function send(c: HonoContext, build: Build, file: string, status: PageStatus): Promise<Response> {
  const hasBrotli = build.has(`${file}.br`);
  const brotli = hasBrotli && acceptsBrotli(c.req.header("accept-encoding"));
  const { body, etag } = await build.read(brotli ? `${file}.br` : file);
  c.header("content-type", getContentType(file));
  c.header("cache-control", status === 200 ? getCacheControl(file) : "no-cache");
  if (hasBrotli) c.header("vary", "accept-encoding");
  if (file.endsWith(".html")) c.header("content-security-policy", build.getPolicy(file));
  if (status === 405) c.header("allow", allowedMethods);
  if (status === 200) {
    c.header("etag", etag);
    if (matchesTag(c.req.header("if-none-match"), etag)) return c.body(null, 304);
  }
  if (/\.mp3$/.test(file) && status === 200) {
    c.header("accept-ranges", "bytes");
    const range = parseRange(c.req.header("range"), body.byteLength);
    const isFresh = [undefined, etag].includes(c.req.header("if-range"));
    if (range && isFresh && c.req.method === "GET") return sendRange(c, body, range);
  }
  if (brotli) c.header("content-encoding", "br");
  c.header("content-length", String(body.byteLength));
  return c.body(body, status);
}

/** Sends a part of a file: browsers seek in audio with it. */
function sendRange(c: HonoContext, body: Uint8Array<ArrayBuffer>, { start, end }: ByteRange): Response {
  if (start >= end) {
    c.header("content-length", "0");
    c.header("content-range", `bytes */${body.byteLength}`);
    return c.body(null, 416);
  }
  c.header("content-range", `bytes ${start}-${end - 1}/${body.byteLength}`);
  c.header("content-length", String(end - start));
  return c.body(body.slice(start, end), 206);
}

/** Sends the error page with the request's id, as in the log. */
async function sendFailure(c: HonoContext<Env>, build: Build, file: string): Promise<Response> {
  const { body } = await build.read(file);
  c.header("cache-control", "no-store");
  c.header("content-security-policy", build.getPolicy(file));
  const html = Buffer.from(body).toString("utf8");
  return c.html(html.replace(' id="request" hidden', ' id="request"').replace("%REQUEST_ID%", c.get("requestId")), 500);
}

function sendText(c: HonoContext<Env>, status: 404 | 500): Response {
  c.header("cache-control", "no-cache");
  return c.text(status === 404 ? "Not found\n" : `Internal server error, request ${c.get("requestId")}\n`, status);
}

function sendWaitingPage(c: HonoContext, title: Record<Locale, string> | null): Response | Promise<Response> {
  c.header("retry-after", "2");
  c.header("cache-control", "no-store");
  c.header("content-security-policy", waitingPolicy);
  return c.html(renderWaitingPage([...new Set(Object.values(title ?? {}))].join(" · ")), 503);
}
