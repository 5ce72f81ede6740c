import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { buildEnvironment } from "./build-environment.ts";
import { cleanStale } from "./clean-stale.ts";
import { fingerprintFile } from "./fingerprint.ts";
import { root, startNode, waitForExit } from "./process.ts";

interface Job {
  /** Where the finished site ends up. */
  dist: string;
  /** Where the build reads the catalogue; empty: shells. */
  apiOrigin: string;
  fingerprint: string;
  /** Shows what Astro says as it goes; otherwise only when it fails. */
  loud: boolean;
  /** The folder of the sources; the project's where it is left out. */
  sources?: string;
}

/** Builds the site beside `dist` and puts it in place by renaming, so that nobody is served half a build. False when the build failed: `dist` is as it was. */
export async function buildAndSwap({ dist, apiOrigin, fingerprint, loud, sources = root }: Job): Promise<boolean> {
  // On the same file system, or it could not be renamed.
  const work = dist.startsWith(root + sep) ? join(root, ".cache") : dirname(dist);
  mkdirSync(work, { recursive: true });
  cleanStale(work, /^dist-(\d+)/);
  const fresh = join(work, `dist-${process.pid}`);
  const astro = startNode(
    ["node_modules/astro/bin/astro.mjs", "build", "--outDir", `./${relative(sources, fresh)}`],
    { BUILD_API_ORIGIN: apiOrigin, ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
    loud ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
    { cwd: sources, inherited: buildEnvironment(process.env) },
  );
  const said: Buffer[] = [];
  for (const stream of [astro.stdout, astro.stderr]) stream?.on("data", (chunk: Buffer) => said.push(chunk));
  const { status } = await waitForExit(astro);
  if (status !== 0 || !existsSync(join(fresh, "index.html"))) {
    if (!loud) process.stderr.write(Buffer.concat(said));
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
