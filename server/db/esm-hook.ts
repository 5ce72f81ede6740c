import { registerHooks } from "node:module";

const drizzleFile = /\/node_modules\/drizzle-orm\/.*\.js$/;

/**
 * Resolves relative imports inside drizzle-orm as modules without reading its package.json. Node parses that file (180 KB) for each of Drizzle's hundreds of
 * files: importing the database takes 0.9 s of CPU time and 330 MB, with this hook 0.14 s and 93 MB.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = "" } = context;
    if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !drizzleFile.test(parentURL)) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
});
