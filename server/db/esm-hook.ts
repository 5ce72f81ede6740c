import { registerHooks } from "node:module";

const own = /\/node_modules\/drizzle-orm\/.*\.js$/;

/**
 * Node looks up for each file that it loads whether its package holds modules, and takes the package's whole package.json apart for that. Drizzle has
 * hundreds of files, and a package.json of 180 KB: that is most of a start, and tens of megabytes of garbage. What its files name relatively are modules.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = "" } = context;
    if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !own.test(parentURL)) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
});
