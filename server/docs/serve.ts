import type { Hono } from "hono";
import type { Config } from "../config/config.ts";
import type { Env } from "../http/envelope.ts";
import { pageLocale } from "../http/page-locale.ts";

const hour = "public, max-age=3600";

/** The contract, for machines and for people. Made when first asked for: most hosts never are. */
export function serveDocs(app: Hono<Env>, config: Config): void {
  let document: string | undefined;
  app.on(["GET", "HEAD"], "/openapi.json", async (c) => {
    const { openApiDocument } = await import("./document.ts");
    document ??= JSON.stringify(openApiDocument(config));
    c.header("Cache-Control", hour);
    // Made to be read by tools anywhere; it says nothing that is not public.
    c.header("Access-Control-Allow-Origin", "*");
    c.header("Cross-Origin-Resource-Policy", "cross-origin");
    return c.body(document, 200, { "Content-Type": "application/json" });
  });

  app.on(["GET", "HEAD"], "/docs", async (c) => {
    const { docsPage, docsPolicy } = await import("./page.ts");
    const locale = pageLocale(c);
    c.header("Cache-Control", hour);
    c.header("Content-Security-Policy", docsPolicy);
    c.header("Content-Language", locale);
    return c.html(docsPage(config, locale));
  });
}
