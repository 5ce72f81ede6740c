import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { buildEnvironment } from "./build-environment.ts";
import { cleanStale } from "./clean-stale.ts";
import { fingerprintFile } from "./fingerprint.ts";
import { root, startNode, waitForExit } from "./process.ts";

interface Job {
  /** Folder of the finished site. */
  dist: string;
  /** Origin of the catalogue; empty: shells. */
  apiOrigin: string;
  fingerprint: string;
  /** Prints Astro's output as it comes; otherwise only after a failure. */
  verbose: boolean;
  /** Folder of the sources; default: the project. */
  sources?: string;
}

/** Builds the site beside `dist` and swaps it in by renaming, so that no visitor gets half a build. Returns false when the build fails; `dist` is then unchanged. */
export async function buildAndSwap({ dist, apiOrigin, fingerprint, verbose, sources = root }: Job): Promise<boolean> {
  // On the same file system, which renaming requires.
  const work = dist.startsWith(root + sep) ? join(root, ".cache") : dirname(dist);
  mkdirSync(work, { recursive: true });
  cleanStale(work, /^dist-(\d+)/);
  const fresh = join(work, `dist-${process.pid}`);
  const astro = startNode(
    ["node_modules/astro/bin/astro.mjs", "build", "--outDir", `./${relative(sources, fresh)}`],
    { BUILD_API_ORIGIN: apiOrigin, ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
    verbose ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
    { cwd: sources, inherited: buildEnvironment(process.env) },
  );
  const output: Buffer[] = [];
  for (const stream of [astro.stdout, astro.stderr]) stream?.on("data", (chunk: Buffer) => output.push(chunk));
  const { status } = await waitForExit(astro);
  if (status !== 0 || !existsSync(join(fresh, "index.html"))) {
    if (!verbose) process.stderr.write(Buffer.concat(output));
    rmSync(fresh, { recursive: true, force: true });
    return false;
  }
  mkdirSync(dirname(join(fresh, fingerprintFile)), { recursive: true });
  writeFileSync(join(fresh, fingerprintFile), fingerprint);
  swap(fresh, dist);
  return true;
}

function swap(fresh: string, dist: string): void {
  const old = `${fresh}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}
