import { join } from "node:path";
import type { Plugin } from "vite";

/** What the browser never asks of a row of the contract: the host checks what is sent to it, and its documents name the refusals. */
const serverOnly = new Set(["payload", "errors"]);

/** Takes out of the contract's rows what browsers never ask them; what that alone needed is then left out by the bundler. */
export function stripCalls(): Plugin {
  return {
    name: "lean-calls",
    apply: "build",
    enforce: "post",
    applyToEnvironment: (environment) => environment.name === "client",
    transform: {
      filter: { id: /\/src\/api\/[\w-]+\.ts$/, code: /\bcall\(/ },
      handler(code) {
        const cuts: { start: number; end: number }[] = [];
        for (const statement of this.parse(code).body) {
          const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : null;
          if (declared?.type !== "VariableDeclaration") continue;
          for (const { init } of declared.declarations) {
            const isRow = init?.type === "CallExpression" && init.callee.type === "Identifier" && init.callee.name === "call";
            const row = isRow ? init.arguments[0] : null;
            if (row?.type !== "ObjectExpression") continue;
            for (const part of row.properties) {
              if (part.type !== "Property" || part.key.type !== "Identifier" || !serverOnly.has(part.key.name)) continue;
              cuts.push({ start: part.start, end: code.indexOf(",", part.end) + 1 || part.end });
            }
          }
        }
        return { code: cuts.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), code), map: null };
      },
    },
  };
}

/** Vite's own helper also waits for style sheets and carries nonces, of which there are none here; every page pays for its size. */
const preload = `
const asked = new Set();
export function __vitePreload(load, deps = []) {
  for (const dep of deps) {
    if (asked.has(dep)) continue;
    asked.add(dep);
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: "/" + dep }));
  }
  return load().catch((error) => {
    if (dispatchEvent(Object.assign(new Event("vite:preloadError", { cancelable: true }), { payload: error }))) throw error;
  });
}`;

/** A dynamic import asks for what its chunk imports at the same time, and says so when it fails. */
export function stripPreload(): Plugin {
  return {
    name: "lean-preload",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "client",
    load: { filter: { id: /vite\/preload-helper\.js$/ }, handler: () => preload },
  };
}

/** Gives ofetch small stand-ins for the packages beneath it: those also read addresses and JSON that no host of ours writes, and weigh as much as ofetch. */
export function stripFetch(): Plugin {
  return {
    name: "lean-fetch",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "client",
    resolveId: {
      filter: { id: /^(ufo|destr)$/ },
      handler: (id, importer) =>
        importer?.includes("/ofetch/") ? join(import.meta.dirname, "ofetch-replacements", `${id}.ts`) : null,
    },
  };
}
