import { execa } from "execa";
import { root } from "#scripts/child-processes.ts";

/** Builds a project of the benchmark's own into a folder. Throws when that fails. */
export async function buildWithAstro(project: string, dist: string, env: Record<string, string> = {}): Promise<void> {
  const args = ["node_modules/astro/bin/astro.mjs", "build", "--root", project, "--outDir", dist];
  const options = { cwd: root, env: { ASTRO_TELEMETRY_DISABLED: "1", ...env } };
  await execa(process.execPath, args, { ...options, stdout: "ignore", stderr: "inherit" });
}
