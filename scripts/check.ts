// `npm run check`: lint, unused code and types in parallel, but no tests; `npm run typecheck`: types alone. Prints each result when it ends.

import { execa } from "execa";
import { root } from "./child-processes.ts";

const astro = "node_modules/astro/bin/astro.mjs";
const tsc = "node_modules/typescript/bin/tsc";

async function run(title: string, args: string[]): Promise<boolean> {
  const options = { cwd: root, env: { ASTRO_TELEMETRY_DISABLED: "1" }, stdin: "ignore", all: true, reject: false } as const;
  const { exitCode, all, durationMs } = await execa(process.execPath, args, options);
  const isPassed = exitCode === 0;
  console.log(
    `== ${title}: ${isPassed ? "passed" : `failed with status ${exitCode}`} in ${(durationMs / 1000).toFixed(1)} s\n${all}`,
  );
  return isPassed;
}

const checkLint = () => run("biome ci", ["node_modules/@biomejs/biome/bin/biome", "ci", "--colors=off"]);
const checkUnused = () => run("knip", ["node_modules/knip/bin/knip.js", "--no-progress"]);

async function checkTypes(): Promise<boolean> {
  // Generates the types of the content, which both type checkers read.
  if (!(await run("astro sync", [astro, "sync"]))) return false;
  const results = await Promise.all([
    // tsconfig.astro.json lists only the .astro files: tsc checks all TypeScript.
    run("astro check", [astro, "check", "--noSync", "--tsconfig", "tsconfig.astro.json"]),
    run("tsc", [tsc, "--noEmit", "-p", "."]),
    // Its globals are WeChat's, not those of browsers and Node.
    run("tsc, mini program", [tsc, "--noEmit", "-p", "mini-program"]),
  ]);
  return results.every(Boolean);
}

const isTypesOnly = process.argv[2] === "types";
const results = await Promise.all(isTypesOnly ? [checkTypes()] : [checkTypes(), checkLint(), checkUnused()]);
process.exit(results.every(Boolean) ? 0 : 1);
