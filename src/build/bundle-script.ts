// Bundles a module and its imports into one self-contained classic script, for inline scripts, the service worker and the mini program.

import { build } from "vite";

interface BundledScript {
  code: string;
  /** Paths of the bundled modules. */
  files: readonly string[];
}

export async function bundleScript(
  file: string,
  define: Record<string, string> = {},
  target = "es2022",
): Promise<BundledScript> {
  const built = await build({
    configFile: false,
    envDir: false,
    envPrefix: "PUBLIC_",
    publicDir: false,
    logLevel: "warn",
    define,
    build: {
      write: false,
      target,
      modulePreload: false,
      rolldownOptions: { input: file, output: { format: "iife" } },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ("output" in one ? one.output : []));
  const chunk = outputs.find((output) => output.type === "chunk");
  if (!chunk) throw new Error(`${file} was not built`);
  return { code: chunk.code.trim(), files: chunk.moduleIds };
}
