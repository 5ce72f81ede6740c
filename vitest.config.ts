import { defineConfig } from "vitest/config";
import { regionData } from "./src/build/region-data.ts";
import { createCounter } from "./tests/support/reporters/vitest.ts";

// Tests ignore a developer's `.env`.
process.env.ENV_FILE ??= "";

/** Without a scope, files that are named run whole. */
const filters: Record<string, string[]> = { quick: ["!full && !long"], full: ["!long"], long: ["long"] };
const tagsFilter = filters[process.env.TEST_SCOPE ?? ""];
const factor = Number(process.env.TEST_FACTOR ?? 1);

export default defineConfig({
  test: {
    tags: [
      { name: "full", description: "Runs with `npm run test:full`: PostgreSQL, processes, races, fuzzing, more builds." },
      { name: "long", description: "Runs with `npm run test:long` in the sizes of TEST_FACTOR." },
    ],
    ...(tagsFilter && { tagsFilter }),
    globalSetup: "tests/support/database/setup.ts",
    reporters: ["default", createCounter()],
    projects: [
      {
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.ts"],
          isolate: false,
          maxWorkers: 3,
          // The architecture tests read every file.
          testTimeout: 15_000,
          // Hundreds of small shops are deleted at the end.
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "mini-program",
          include: ["tests/mini-program/**/*.test.ts"],
          // Its simulation and WeChat's API are globals.
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [regionData()],
        test: {
          name: "stores",
          include: ["tests/stores/**/*.test.ts"],
          isolate: false,
          maxWorkers: 3,
          // Longer than a test waits for a state.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Node runs the server's side as it is, so that a worker reuses its database across files although pages reset their modules.
          server: { deps: { external: [/\/tests\/support\/(database|processes)\//] } },
        },
      },
      {
        test: {
          name: "server",
          include: ["tests/server/**/*.test.ts"],
          // Node runs the server's sources as they are.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          // A worker reuses its databases across files.
          isolate: false,
          maxWorkers: 3,
          testTimeout: 180_000 * factor,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "conformance",
          include: ["tests/conformance/**/*.test.ts"],
          // The same modules of the server as in `server`.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          isolate: false,
          maxWorkers: 3,
          // A check waits up to 70 s for a server that asks for it.
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "build",
          include: ["tests/build/**/*.test.ts"],
          globalSetup: "tests/support/content/setup.ts",
          // After all others: builds take the whole machine.
          sequence: { groupOrder: 1 },
          isolate: false,
          maxWorkers: 3,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
