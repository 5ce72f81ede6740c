import type { Hono } from "hono";
import type { Context } from "#server/context.ts";
import type { Env } from "#server/http/request.ts";
import { readKeySet } from "./signing-keys.ts";

/** Serves the public keys of concert tokens, for the concert back end of CONCERT_ORIGIN. */
export function serveKeys(app: Hono<Env>, context: Context): void {
  app.get("/.well-known/jwks.json", async (c) => {
    const keySet = await readKeySet(context);
    c.header("Cache-Control", "public, max-age=300");
    return c.body(JSON.stringify(keySet), 200, { "Content-Type": "application/jwk-set+json" });
  });
}
