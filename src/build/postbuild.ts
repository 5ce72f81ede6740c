import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { replacePreloadHelper, stripCalls } from "./browser-code.ts";
import { Chunks, chunkGroups } from "./chunks.ts";
import { compressFiles, listFiles } from "./compress.ts";
import { onlyInHeader, toOrigins } from "./content-security-policy.ts";
import { hostingFiles } from "./hosting/hosting.ts";
import { processPage } from "./page.ts";
import { islandRuntime } from "./scripts.ts";

/** Processes the built site before it is served. The last integration, as it reads the output of the others. */
export function postbuild(): AstroIntegration {
  const chunks = new Chunks();
  let cache = "";
  return {
    name: "postbuild",
    hooks: {
      "astro:config:setup": ({ config, updateConfig }) => {
        cache = fileURLToPath(new URL(".cache/brotli", config.root));
        const output = { codeSplitting: { groups: chunkGroups } };
        updateConfig({
          vite: {
            plugins: [chunks.plugin(), islandRuntime(), stripCalls(), replacePreloadHelper()],
            environments: { client: { build: { rolldownOptions: { output } } } },
          },
        });
      },
      "astro:build:done": async ({ dir, logger }) => {
        const began = performance.now();
        const dist = fileURLToPath(dir);
        const redirects = await takeRedirects(dist);
        const files = await listFiles(dist);
        const code = chunks.id();
        const policies = new Map<string, number>();
        const pages: Record<string, number> = {};
        const css = { before: 0, after: 0 };
        const shared = new Map<string, string>();
        for (const file of files.filter((path) => path.endsWith(".html"))) {
          const page = finishPage(file, await readFile(join(dist, file), "utf8"), chunks, code);
          await writeFile(join(dist, file), page.html);
          if (page.shared) shared.set(page.shared.file, page.shared.text);
          css.before += page.css.before;
          css.after += page.css.after;
          const index = policies.get(page.policy) ?? policies.size;
          policies.set(page.policy, index);
          pages[file] = index;
        }
        for (const [file, text] of shared) await writeFile(join(dist, file), text);
        const finished = performance.now();
        await mkdir(join(dist, ".hosting"), { recursive: true });
        const headers = { policies: [...policies.keys()].map((policy) => `${policy}; ${onlyInHeader}`), pages };
        await writeFile(join(dist, ".hosting/headers.json"), JSON.stringify(headers));
        for (const [name, text] of Object.entries(hostingFiles(files, redirects))) {
          await mkdir(dirname(join(dist, name)), { recursive: true });
          await writeFile(join(dist, name), text);
        }
        const id = (await compressFiles(dist, [...files, ...shared.keys()].sort(), cache)).slice(0, 16);
        // Written last: a folder without it is an incomplete build.
        await writeFile(join(dist, "build.json"), JSON.stringify({ id, code, built_at: new Date().toISOString() }));
        const count = Object.keys(pages).length;
        const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1);
        const kib = (total: number) => (total / 1024 / (count || 1)).toFixed(1);
        logger.info(
          `${count} pages, styles from ${kib(css.before)} to ${kib(css.after)} KiB a page in ${seconds(began, finished)} s, brotli in ${seconds(finished, performance.now())} s, build ${id}`,
        );
      },
    },
  };
}

/** Reads the old addresses that the build has written for the rules of hosts, and removes the file. */
async function takeRedirects(dist: string): Promise<Record<string, string>> {
  const file = join(dist, "redirects.json");
  const redirects: Record<string, string> = JSON.parse(await readFile(file, "utf8").catch(() => "{}"));
  await rm(file, { force: true });
  return redirects;
}

/** Replaced by the id of the client code; the id of the build would change every page with one article. */
const codePlaceholder = "%BUILD_ID%";

function finishPage(file: string, html: string, chunks: Chunks, code: string) {
  try {
    return processPage(html.replace(codePlaceholder, code), chunks, toOrigins(process.env));
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}
