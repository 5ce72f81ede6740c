import type { Hono } from "hono";
import { compress } from "hono/compress";
import type { Context } from "#server/context.ts";
import { getRequestOrigin } from "#server/http/calls.ts";
import { type Env, getPageLocale } from "#server/http/request.ts";

const cacheControl = "public, max-age=3600";

/** Serves the contract at `/openapi.json` and `/docs`. Both are created on the first request, since most servers never get one. */
export function serveDocs(app: Hono<Env>, context: Context): void {
  const { config } = context;
  let document: object | undefined;
  app.on(["GET", "HEAD"], "/openapi.json", compress(), async (c) => {
    const { createOpenApiDocument } = await import("./document.ts");
    document ??= createOpenApiDocument(config);
    // Clients that are generated from a file know no other origin.
    const servers = [{ url: getRequestOrigin(c, context) }];
    c.header("Cache-Control", cacheControl);
    // Public, so that tools of any origin may read it.
    c.header("Access-Control-Allow-Origin", "*");
    c.header("Cross-Origin-Resource-Policy", "cross-origin");
    return c.body(JSON.stringify({ ...document, servers }), 200, { "Content-Type": "application/json" });
  });

  app.on(["GET", "HEAD"], "/docs", async (c) => {
    const { renderDocsPage, docsPolicy } = await import("./page.ts");
    const locale = getPageLocale(c);
    c.header("Cache-Control", cacheControl);
    c.header("Content-Security-Policy", docsPolicy);
    c.header("Content-Language", locale);
    return c.html(renderDocsPage(config, locale));
  });
}
