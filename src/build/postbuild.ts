import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import type { Plugin } from "vite";
import { getPictureCache } from "../content/picture/record.ts";
import { inlineCodes, replacePreloadHelper, replaceRenderer, stripRows } from "./browser-code.ts";
import type { BuiltPages } from "./built-page.ts";
import { Chunks, chunkGroups } from "./chunks.ts";
import { ClassNames } from "./class-names.ts";
import { sumsFile } from "./compress.ts";
import { onlyInHeader } from "./content-security-policy.ts";
import { listFiles, toSum } from "./files.ts";
import { hostingFiles } from "./hosting/hosting.ts";
import { drawOnce } from "./islands.ts";
import { namesPrefix, type Sheets } from "./page.ts";
import { PageCache, toBuildKey } from "./render/cache.ts";
import { RenderPool, threadCount } from "./render/pool.ts";
import { islandRuntime } from "./scripts.ts";
import { writeSearchIndex } from "./search.ts";
import { awaitServer } from "./server.ts";
import { writeWorker } from "./worker.ts";

/** Renders the pages on all cores, and writes what goes with them. The last integration, as it reads the output of the others. */
export function postbuild(pages: BuiltPages): AstroIntegration {
  const chunks = new Chunks();
  const cache = new PageCache(join(dirname(getPictureCache()), "pages.json"), process.env.SITE_DIR ?? "");
  const pool = new RenderPool(pages, cache);
  let classNames: ClassNames;
  let srcDir = "";
  let root = "";
  let dataStore = "";
  let site = "";
  let outDir: URL;
  return {
    name: "postbuild",
    hooks: {
      "astro:config:setup": async ({ command, config, updateConfig }) => {
        if (command !== "build") return;
        srcDir = fileURLToPath(config.srcDir);
        root = fileURLToPath(config.root);
        dataStore = fileURLToPath(new URL("data-store.json", config.cacheDir));
        classNames = await ClassNames.read(srcDir);
        // Astro's names for the scripts of components are 40 letters longer, on every page.
        const entryFileNames = ({ name }: { name: string }) =>
          `_astro/${name.replace(/\.astro_astro_type_script.*/, "")}.[hash:7].js`;
        // Hashes do not compress: seven letters are the least that the bundler takes.
        const output = { codeSplitting: { groups: chunkGroups }, entryFileNames, chunkFileNames: "_astro/[name].[hash:7].js" };
        updateConfig({
          // All files that are no pages at once: a search index takes a second.
          build: { concurrency: 8 * threadCount },
          // Pages get policies of their own, which are tighter than Astro's.
          security: { csp: false },
          vite: {
            plugins: [
              chunks.plugin(),
              islandRuntime(),
              stripRows(),
              inlineCodes(),
              replacePreloadHelper(),
              replaceRenderer(),
              drawOnce(),
              classNames.plugin(),
              readContent(dataStore),
            ],
            environments: { client: { build: { rolldownOptions: { output } } } },
          },
        });
      },
      "astro:config:done": ({ config }) => {
        outDir = config.outDir;
        site = config.site ?? "";
      },
      "astro:build:start": async ({ setPrerenderer }) => {
        await releaseTexts();
        const prepare = async () => {
          await awaitServer();
          const [code, sheets] = [chunks.id(), await takeSheets(fileURLToPath(outDir), classNames)];
          await cache.open(await toBuildKey(root, site, code, ...sheets.values()));
          const hasPlainLinks = !namesPrefix(await readFile(dataStore, "utf8"));
          return { chunks: chunks.list(), code, sheets, hasPlainLinks };
        };
        setPrerenderer((base) => pool.prerenderer(base, outDir, site, prepare));
      },
      "astro:build:done": async ({ dir, logger }) => {
        const began = performance.now();
        const dist = fileURLToPath(dir);
        const redirects = await takeRedirects(dist);
        await writeSearchIndex(dist);
        const { css, derived } = pool;
        for (const [file, text] of cache.shared) await writeFile(join(dist, file), text);
        await writeWorker(srcDir, dist, chunks.id());
        const files = await listFiles(dist);
        const policies = new Map(Array.from(pages, ([file, { policy }]) => [file, policy]));
        const sums = new Map(Array.from(pages, ([file, { sum }]) => [file, sum]));
        for (const file of files) if (!pages.has(file)) sums.set(file, toSum(readFileSync(join(dist, file))));
        await mkdir(join(dist, ".hosting"), { recursive: true });
        await writeFile(join(dist, ".hosting/headers.json"), JSON.stringify(toHeaders(policies)));
        for (const [name, text] of Object.entries(hostingFiles(files, redirects))) {
          await mkdir(dirname(join(dist, name)), { recursive: true });
          await writeFile(join(dist, name), text);
        }
        await writeFile(join(dist, sumsFile), JSON.stringify(Object.fromEntries(sums)));
        const id = toBuildId(sums);
        await cache.save(id, (file) => pages.get(file));
        // Written last: a folder without it is an incomplete build.
        await writeFile(
          join(dist, "build.json"),
          JSON.stringify({ id, code: chunks.id(), built_at: new Date().toISOString() }),
        );
        const kib = (total: number) => (total / 1024 / (policies.size || 1)).toFixed(1);
        logger.info(
          `${policies.size} pages, ${derived} of them made of those under /zh-CN, styles from ${kib(css.before)} to ${kib(css.after)} KiB a page, in ${((performance.now() - began) / 1000).toFixed(1)} s, build ${id}`,
        );
      },
    },
  };
}

/** Lets go of the texts that Astro has read and stored: the pages read them from its file, and thousands would be in memory twice. */
async function releaseTexts(): Promise<void> {
  const file = new URL("content/instance.js", import.meta.resolve("astro")).href;
  const { globalContentLayer }: { globalContentLayer: { dispose(): void } } = await import(file);
  globalContentLayer.dispose();
}

/** Reads the content when pages are rendered. In the bundle, every thread would parse it as code and hold its source. */
function readContent(file: string): Plugin {
  const code = `import { readFileSync } from "node:fs";\nexport default JSON.parse(readFileSync(${JSON.stringify(file)}, "utf8"));`;
  return {
    name: "read-content",
    apply: "build",
    enforce: "pre",
    load: { order: "pre", filter: { id: /^\0astro:data-layer-content$/ }, handler: () => ({ code, map: null }) },
  };
}

/** Returns a hash of the whole content. */
function toBuildId(sums: ReadonlyMap<string, string>): string {
  const all = createHash("sha256");
  for (const [file, sum] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) all.update(`${file}\0${sum}\0`);
  return all.digest("hex").slice(0, 16);
}

/** Returns each policy once, and its index by page. */
function toHeaders(policies: ReadonlyMap<string, string>) {
  const distinct = [...new Set([...policies.values()].sort())];
  const index = new Map(distinct.map((policy, at) => [policy, at]));
  const pages = [...policies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, policy]) => [file, index.get(policy)]);
  return { policies: distinct.map((policy) => `${policy}; ${onlyInHeader}`), pages: Object.fromEntries(pages) };
}

/** Reads the old addresses that the build has written for the rules of hosts, and removes the file. */
async function takeRedirects(dist: string): Promise<Record<string, string>> {
  const file = join(dist, "redirects.json");
  const redirects: Record<string, string> = JSON.parse(await readFile(file, "utf8").catch(() => "{}"));
  await rm(file, { force: true });
  return redirects;
}

/** Reads the style sheets, with short class names, which pages then contain as far as they use them, and removes their files. */
async function takeSheets(dist: string, names: ClassNames): Promise<Sheets> {
  const sheets = new Map<string, string>();
  for (const file of (await readdir(join(dist, "_astro"))).filter((name) => name.endsWith(".css"))) {
    sheets.set(`/_astro/${file}`, names.shorten(await readFile(join(dist, "_astro", file), "utf8")));
    await rm(join(dist, "_astro", file));
  }
  return sheets;
}
