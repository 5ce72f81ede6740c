// Astro integration: configures the chunks before the build, then rewrites the pages and writes the service worker and the rules for hosts.

import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { buildRecord } from "#src/lib/build-record.ts";
import { getHere, matchRoute } from "#src/routes.ts";
import { ClientGraph, chunkGroups } from "./chunks.ts";
import { onlyInHeader, toOrigins } from "./content-security-policy.ts";
import { listFiles, toSum, writeInto } from "./files.ts";
import { hostingFiles } from "./hosting/hosting.ts";
import { replacePreloadHelper } from "./preload-helper.ts";
import { UsedNames } from "./purge-css.ts";
import { type Parts, type PendingPage, prepareRewrite } from "./rewrite-page.ts";
import { writeServiceWorker } from "./service-worker.ts";

/** Stands in pages for the hash of the client code. The build id in its place would change every page whenever one article changes. */
const codePlaceholder = "%CODE_HASH%";

/** Must be the last integration, because it reads the output of the others. `largerAsAvif`: hashes of pictures that are larger as AVIF than as WebP. */
export function postbuild(largerAsAvif: ReadonlySet<string>): AstroIntegration {
  const graph = new ClientGraph();
  let srcDir = "";
  return {
    name: "postbuild",
    hooks: {
      "astro:config:setup": ({ command, config, updateConfig }) => {
        if (command !== "build") return;
        srcDir = fileURLToPath(config.srcDir);
        updateConfig({
          vite: {
            plugins: [graph.plugin(), replacePreloadHelper()],
            environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } } } } },
          },
        });
      },
      "astro:build:done": async ({ dir, logger }) => {
        const began = performance.now();
        const dist = fileURLToPath(dir);
        const redirects = await takeRedirects(dist);
        const sheets = await takeSheets(dist);
        const { scripts, publicFiles } = buildRecord;
        const policies = await finishPages(dist, { graph, sheets, scripts, largerAsAvif, origins: toOrigins(process.env) });
        await writeServiceWorker(srcDir, dist, graph.hash());
        const files = await listFiles(dist);
        const id = await toBuildId(dist, files);
        await writeInto(dist, ".hosting/headers.json", JSON.stringify(toHeaders(policies)));
        const rules = hostingFiles(files, redirects, (message) => logger.warn(message), [...publicFiles]);
        for (const [name, text] of Object.entries(rules)) await writeInto(dist, name, text);
        // Written last: a folder without it is an incomplete build.
        await writeInto(dist, "build.json", JSON.stringify({ id, code: graph.hash(), built_at: new Date().toISOString() }));
        const seconds = ((performance.now() - began) / 1000).toFixed(1);
        logger.info(`${policies.size} pages finished in ${seconds} s, build ${id}`);
      },
    },
  };
}

/** The pages of a route that have the same style sheets. */
interface Group {
  css: string;
  used: UsedNames;
  pages: Map<string, PendingPage["finish"]>;
}

/** Rewrites every page, with the styles that the pages of its route use. Returns the policies by file. */
async function finishPages(dist: string, parts: Parts): Promise<Map<string, string>> {
  const groups = new Map<string, Group>();
  const read = async (file: string) => (await readFile(join(dist, file), "utf8")).replace(codePlaceholder, parts.graph.hash());
  const files = (await listFiles(dist)).filter((name) => name.endsWith(".html") && !buildRecord.publicFiles.has(name));
  for (const file of files) {
    try {
      const { css, tags, code, shared, finish } = prepareRewrite(await read(file), parts);
      const key = `${matchRoute(getHere({ pathname: `/${file}` }).path)?.name}\n${css}`;
      const group = groups.get(key) ?? { css, used: new UsedNames(), pages: new Map() };
      groups.set(key, group);
      group.used.addTags(tags);
      for (const one of code) group.used.addCode(one);
      group.pages.set(file, finish);
      if (shared) await writeFile(join(dist, shared.file), shared.text);
    } catch (error) {
      throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const policies = new Map<string, string>();
  for (const { css, used, pages } of groups.values()) {
    const purged = await used.purge(css);
    for (const [file, finish] of pages) {
      const { html, policy } = finish(await read(file), purged);
      await writeFile(join(dist, file), html);
      policies.set(file, policy);
    }
  }
  return policies;
}

/** Returns a hash of all public files. */
async function toBuildId(dist: string, files: readonly string[]): Promise<string> {
  const all = createHash("sha256");
  for (const file of files) all.update(`${file}\0${toSum(await readFile(join(dist, file)))}\0`);
  return all.digest("hex").slice(0, 16);
}

/** Returns the distinct policies, and the index of each page's policy. */
function toHeaders(policies: ReadonlyMap<string, string>) {
  const distinct = [...new Set([...policies.values()].sort())];
  const index = new Map(distinct.map((policy, at) => [policy, at]));
  const pages = [...policies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, policy]) => [file, index.get(policy)]);
  return { policies: distinct.map((policy) => `${policy}; ${onlyInHeader}`), pages: Object.fromEntries(pages) };
}

/** Reads and removes `redirects.json`, because the rules for hosts contain the redirects. */
async function takeRedirects(dist: string): Promise<Record<string, string>> {
  const file = join(dist, "redirects.json");
  const redirects: Record<string, string> = JSON.parse(await readFile(file, "utf8").catch(() => "{}"));
  await rm(file, { force: true });
  return redirects;
}

/** Reads and removes the style sheets, because each page has the rules that the pages of its route use inline. */
async function takeSheets(dist: string): Promise<Map<string, string>> {
  const sheets = new Map<string, string>();
  for (const file of (await readdir(join(dist, "_astro"))).filter((name) => name.endsWith(".css"))) {
    sheets.set(`/_astro/${file}`, await readFile(join(dist, "_astro", file), "utf8"));
    await rm(join(dist, "_astro", file));
  }
  return sheets;
}
