import { once } from "node:events";
import { endOnSignal, startNode, waitForExit } from "./process.ts";

// `npm run check`: lint, unused code and types in parallel; `npm run typecheck`: types alone. Prints the output of each when it ends.
const astro = "node_modules/astro/bin/astro.mjs";

async function run(title: string, args: string[]): Promise<boolean> {
  const began = performance.now();
  const child = startNode(args, { ASTRO_TELEMETRY_DISABLED: "1" }, ["ignore", "pipe", "pipe"]);
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => output.push(chunk));
  const [{ status }] = await Promise.all([waitForExit(child), once(child, "close")]);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`== ${title}: ${status === 0 ? "passed" : `failed with status ${status}`} in ${seconds} s`);
  process.stdout.write(Buffer.concat(output));
  return status === 0;
}

const checkLint = () => run("biome ci", ["node_modules/@biomejs/biome/bin/biome", "ci", "--colors=off"]);
const checkUnused = () => run("knip", ["node_modules/knip/bin/knip.js", "--no-progress"]);

async function checkTypes(): Promise<boolean> {
  // Writes the types of the content, which both programs read.
  if (!(await run("astro sync", [astro, "sync"]))) return false;
  const results = await Promise.all([
    // The errors of .astro files alone: tsc finds those of the files that they import.
    run("astro check", [astro, "check", "--noSync", "--tsconfig", "tsconfig.astro.json"]),
    run("tsc", ["node_modules/typescript/bin/tsc", "--noEmit", "-p", "."]),
  ]);
  return results.every(Boolean);
}

endOnSignal(130);
const isTypesOnly = process.argv[2] === "types";
const results = await Promise.all(isTypesOnly ? [checkTypes()] : [checkTypes(), checkLint(), checkUnused()]);
process.exit(results.every(Boolean) ? 0 : 1);
