import type { ESTree, Plugin } from "vite";

/** Properties of a contract row that only the server reads: it validates payloads, and its documents list errors. Properties of a route that only build and server read. */
const serverOnly = new Set(["payload", "errors", "layout", "shell", "noindex"]);

/** Removes server-only properties from the rows of the contract and of the table of URLs, so that the bundler drops the schemas behind them. */
export function stripRows(): Plugin {
  return {
    name: "strip-rows",
    apply: "build",
    enforce: "post",
    applyToEnvironment: (environment) => environment.name === "client",
    transform: {
      filter: { id: /\/src\/(api\/[\w-]+|routes)\.ts$/, code: /\bcall\(|\broutes = / },
      handler(code) {
        const cuts: { start: number; end: number }[] = [];
        for (const statement of this.parse(code).body) {
          const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : null;
          if (declared?.type !== "VariableDeclaration") continue;
          for (const part of declared.declarations
            .flatMap(({ init }) => findRows(init))
            .flatMap(({ properties }) => properties)) {
            if (part.type !== "Property" || part.key.type !== "Identifier" || !serverOnly.has(part.key.name)) continue;
            const { length } = /^\s*,?/.exec(code.slice(part.end))?.[0] ?? "";
            cuts.push({ start: part.start, end: part.end + length });
          }
        }
        return { code: cuts.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), code), map: null };
      },
    },
  };
}

/** Returns the object of a `call(…)`, or the values of an object of objects. */
function findRows(init: ESTree.Expression | null): ESTree.ObjectExpression[] {
  const isRow = init?.type === "CallExpression" && init.callee.type === "Identifier" && init.callee.name === "call";
  const row = isRow ? init.arguments[0] : null;
  if (row?.type === "ObjectExpression") return [row];
  if (init?.type !== "ObjectExpression") return [];
  return init.properties.flatMap((one) =>
    one.type === "Property" && one.value.type === "ObjectExpression" ? [one.value] : [],
  );
}

/** Vite's helper also handles style sheets and nonces, which this site has none of, and adds 522 bytes (brotli) to every page. */
const preload = `
const preloaded = new Set();
export function __vitePreload(load, deps = []) {
  for (const dep of deps) {
    if (preloaded.has(dep)) continue;
    preloaded.add(dep);
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: "/" + dep }));
  }
  return load().catch((error) => {
    if (dispatchEvent(Object.assign(new Event("vite:preloadError", { cancelable: true }), { payload: error }))) throw error;
  });
}`;

/** Replaces Vite's preload helper: preloads a chunk's imports in parallel, and dispatches `vite:preloadError` on failure. */
export function replacePreloadHelper(): Plugin {
  return {
    name: "replace-preload-helper",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "client",
    load: { filter: { id: /vite\/preload-helper\.js$/ }, handler: () => preload },
  };
}
