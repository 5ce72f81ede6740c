import { defineConfig } from "astro/config";

// Plain Astro with the same articles: what the build of the site is measured beside.
export default defineConfig({
  cacheDir: "../../.cache/bench/plain",
  trailingSlash: "never",
  build: { format: "file" },
  devToolbar: { enabled: false },
});
