import { registerHooks } from "node:module";

const drizzleFile = /\/node_modules\/drizzle-orm\/.*\.js$/;

/**
 * Resolves relative imports inside drizzle-orm as modules without reading its package.json. Node parses that file (180 KB) for each of Drizzle's hundreds of
 * files, which takes most of a start's time and tens of megabytes of garbage.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = "" } = context;
    if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !drizzleFile.test(parentURL)) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
});
