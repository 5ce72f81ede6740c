import react from "@astrojs/react";
import { defineConfig } from "astro/config";

// Pages with nothing in them: what ours are measured against.
export default defineConfig({
  cacheDir: "../../.cache/floor",
  trailingSlash: "never",
  build: { format: "file", inlineStylesheets: "always" },
  integrations: [react()],
  devToolbar: { enabled: false },
});
