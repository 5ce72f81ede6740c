import type { Plugin } from "vite";
import { bundleScript } from "./bundle-script.ts";

/** Serves imports that end in `?script`: a module with all that it imports, as the text of one inline script. */
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
