import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";

/** Prints `N passed, N failed[, N skipped]`, the line that `.ci/run` reads. A file that fails to load counts as one failure, tests of other tags not at all. */
export function createCounter(): Reporter {
  let filter = "";
  const isRequested = ({ tags }: TestCase) =>
    filter === "long" ? tags.includes("long") : !tags.some((tag) => filter.includes(`!${tag}`));
  const isBroken = (module: TestModule) => module.state() === "failed" && [...module.children.allTests("failed")].length === 0;
  return {
    onInit: ({ config }: Vitest) => {
      filter = config.tagsFilter?.join(" ") ?? "";
    },
    onTestRunEnd(modules, errors) {
      const tests = modules.flatMap((module) => [...module.children.allTests()]).filter(isRequested);
      const count = (state: string) => tests.filter((test) => test.result().state === state).length;
      const skipped = count("skipped");
      const failed = count("failed") + modules.filter(isBroken).length + errors.length;
      console.log(`${count("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    },
  };
}
