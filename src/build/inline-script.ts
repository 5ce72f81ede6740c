// Vite plugin that resolves imports ending in `?script` to the text of an inline script: the module, bundled with its imports.

import type { Plugin } from "vite";
import { bundleScript } from "./bundle-script.ts";

export function inlineScript(): Plugin {
  return {
    name: "inline-script",
    load: {
      filter: { id: /\.ts\?script$/ },
      async handler(id) {
        const { code, files } = await bundleScript(id.replace("?script", ""));
        for (const file of files) this.addWatchFile(file);
        return `export default ${JSON.stringify(code)}`;
      },
    },
  };
}
