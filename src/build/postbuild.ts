import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { inlineCodes, replacePreloadHelper, replaceRenderer, stripRows } from "./browser-code.ts";
import { Chunks, chunkGroups } from "./chunks.ts";
import { ClassNames } from "./class-names.ts";
import { forEach, listFiles } from "./compress.ts";
import { onlyInHeader, toOrigins } from "./content-security-policy.ts";
import { hostingFiles } from "./hosting/hosting.ts";
import { processPage, type Sheets } from "./page.ts";
import { islandRuntime } from "./scripts.ts";

/** Processes the built site before it is served. The last integration, as it reads the output of the others. */
export function postbuild(): AstroIntegration {
  const chunks = new Chunks();
  let classNames: ClassNames;
  return {
    name: "postbuild",
    hooks: {
      "astro:config:setup": async ({ command, config, updateConfig }) => {
        if (command !== "build") return;
        classNames = await ClassNames.read(fileURLToPath(config.srcDir));
        const output = { codeSplitting: { groups: chunkGroups } };
        updateConfig({
          vite: {
            plugins: [
              chunks.plugin(),
              islandRuntime(),
              stripRows(),
              inlineCodes(),
              replacePreloadHelper(),
              replaceRenderer(),
              classNames.plugin(),
            ],
            environments: { client: { build: { rolldownOptions: { output } } } },
          },
        });
      },
      "astro:build:done": async ({ dir, logger }) => {
        const began = performance.now();
        const dist = fileURLToPath(dir);
        const redirects = await takeRedirects(dist);
        const sheets = await takeSheets(dist, classNames);
        const files = await listFiles(dist);
        const code = chunks.id();
        const policies = new Map<string, string>();
        const css = { before: 0, after: 0 };
        const shared = new Map<string, string>();
        const isPage = (file: string) => file.endsWith(".html");
        const sums = new Map<string, string>();
        const addSum = (file: string, body: Buffer | string) => sums.set(file, createHash("sha256").update(body).digest("hex"));
        await forEach(files, async (file) => {
          const body = await readFile(join(dist, file));
          if (!isPage(file)) {
            addSum(file, body);
            return;
          }
          const page = finishPage(file, body.toString(), chunks, code, sheets);
          if (page.shared) shared.set(page.shared.file, page.shared.text);
          css.before += page.css.before;
          css.after += page.css.after;
          policies.set(file, page.policy);
          addSum(file, page.html);
          await writeFile(join(dist, file), page.html);
        });
        for (const [file, text] of shared) {
          await writeFile(join(dist, file), text);
          addSum(file, text);
        }
        await mkdir(join(dist, ".hosting"), { recursive: true });
        await writeFile(join(dist, ".hosting/headers.json"), JSON.stringify(toHeaders(policies)));
        for (const [name, text] of Object.entries(hostingFiles(files, redirects))) {
          await mkdir(dirname(join(dist, name)), { recursive: true });
          await writeFile(join(dist, name), text);
        }
        const id = toBuildId(sums);
        // Written last: a folder without it is an incomplete build.
        await writeFile(join(dist, "build.json"), JSON.stringify({ id, code, built_at: new Date().toISOString() }));
        const kib = (total: number) => (total / 1024 / (policies.size || 1)).toFixed(1);
        logger.info(
          `${policies.size} pages, styles from ${kib(css.before)} to ${kib(css.after)} KiB a page, in ${((performance.now() - began) / 1000).toFixed(1)} s, build ${id}`,
        );
      },
    },
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

/** Replaced by the id of the client code; the id of the build would change every page with one article. */
const codePlaceholder = "%BUILD_ID%";

function finishPage(file: string, html: string, chunks: Chunks, code: string, sheets: Sheets) {
  try {
    return processPage(html.replace(codePlaceholder, code), chunks, toOrigins(process.env), sheets);
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}
