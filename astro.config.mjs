import { join } from "node:path";
import tailwind from "@tailwindcss/vite";
import { defineConfig } from "astro/config";
import { i18n } from "astro-i18n-aut/integration";
import { defaultLocale, locales } from "./i18n/locale.ts";
import { directives, getSiteOrigin, toOrigins } from "./src/build/content-security-policy.ts";
import { devServer } from "./src/build/dev-server.ts";
import { iconComponents } from "./src/build/icon-components.ts";
import { inlineScript } from "./src/build/inline-script.ts";
import { reactIslands } from "./src/build/islands.ts";
import { media } from "./src/build/media.ts";
import { postbuild } from "./src/build/postbuild.ts";
import { publicFiles } from "./src/build/public-files.ts";
import { regionData } from "./src/build/region-data.ts";
import { siteMap } from "./src/build/site-map.ts";
import { apiPaths } from "./src/routes.ts";

// Each shop has its own caches, so that builds of two shops do not mix.
const cache = process.env.SHOP_CACHE_DIR;
// In development the API server listens beside Astro, which proxies to it.
const server = process.env.DEV_HOST;

const site = getSiteOrigin(process.env);
/** Hashes of pictures that are larger as AVIF: pages have no AVIF source for them. */
const largerAsAvif = new Set();

export default defineConfig({
  site,
  ...(cache ? { cacheDir: join(cache, "astro") } : {}),
  trailingSlash: "never",
  prerenderConflictBehavior: "error",
  // `postbuild` puts the styles that a page uses into it.
  build: { format: "file", inlineStylesheets: "never" },
  // `postbuild` gives each page these directives with the hashes of its scripts and styles.
  security: { csp: { directives: [...directives(toOrigins(process.env))] } },
  integrations: [
    reactIslands(),
    i18n({
      defaultLocale,
      locales: Object.fromEntries(locales.map((locale) => [locale, locale])),
      exclude: ["pages/**/*.ts"],
    }),
    publicFiles(),
    devServer(),
    media(largerAsAvif),
    siteMap(),
    // Last: it processes the output of the others.
    postbuild(largerAsAvif),
  ],
  vite: {
    // The scripts that start a build or the dev server read `.env` and pass on the variables.
    envDir: false,
    ...(cache ? { cacheDir: join(cache, "vite") } : {}),
    ...(server
      ? { server: { proxy: Object.fromEntries([...apiPaths.folders, ...apiPaths.files].map((path) => [`/${path}`, server])) } }
      : {}),
    plugins: [tailwind(), iconComponents(), regionData(), inlineScript()],
  },
});
