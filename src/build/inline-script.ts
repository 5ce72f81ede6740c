import { build, type Plugin } from "vite";

/** Serves imports that end in `?script`: a module with all that it imports, as the text of one inline script. */
export function inlineScript(): Plugin {
  return {
    name: "inline-script",
    load: {
      filter: { id: /\.ts\?script$/ },
      async handler(id) {
        const built = await build({
          configFile: false,
          envDir: false,
          envPrefix: "PUBLIC_",
          publicDir: false,
          logLevel: "warn",
          build: {
            write: false,
            target: "es2022",
            modulePreload: false,
            rolldownOptions: { input: id.replace("?script", ""), output: { format: "iife" } },
          },
        });
        const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ("output" in one ? one.output : []));
        const chunk = outputs.find((output) => output.type === "chunk");
        if (!chunk) throw new Error(`${id} was not built`);
        for (const file of chunk.moduleIds) this.addWatchFile(file);
        return `export default ${JSON.stringify(chunk.code.trim())}`;
      },
    },
  };
}
