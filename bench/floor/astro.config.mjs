import react from "@astrojs/react";
import { defineConfig } from "astro/config";

// Empty pages: the floor for the measurements of the site.
export default defineConfig({
  cacheDir: "../../.cache/floor",
  trailingSlash: "never",
  build: { format: "file", inlineStylesheets: "always" },
  integrations: [react()],
  devToolbar: { enabled: false },
});
