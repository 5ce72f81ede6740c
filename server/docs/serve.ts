import type { Hono } from "hono";
import type { Config } from "#server/config/config.ts";
import { type Env, getPageLocale } from "#server/http/request.ts";

const cacheControl = "public, max-age=3600";

/** Serves the contract at `/openapi.json` and `/docs`. Both are created on the first request, since most servers never get one. */
export function serveDocs(app: Hono<Env>, config: Config): void {
  let document: string | undefined;
  app.on(["GET", "HEAD"], "/openapi.json", async (c) => {
    const { createOpenApiDocument } = await import("./document.ts");
    document ??= JSON.stringify(createOpenApiDocument(config));
    c.header("Cache-Control", cacheControl);
    // Public, so that tools of any origin may read it.
    c.header("Access-Control-Allow-Origin", "*");
    c.header("Cross-Origin-Resource-Policy", "cross-origin");
    return c.body(document, 200, { "Content-Type": "application/json" });
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
