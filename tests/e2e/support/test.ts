import { test as base, expect } from "@playwright/test";
import { flush, watch } from "./watch.ts";

interface Options {
  /** Problems that a test provokes on purpose. Everything else that goes wrong fails it. */
  allowed: RegExp[];
}

/**
 * Playwright's `test`, which also fails when anything goes wrong unseen, in any tab of the context: a violation of the
 * content security policy, an error or a warning in the console, an uncaught error, a layout shift that nobody caused, a
 * request to a foreign origin. A test that provokes one says so: `test.use({ allowed: [/404/] })`.
 */
export const test = base.extend<Options & { watched: undefined }>({
  allowed: [[], { option: true }],
  watched: [
    async ({ context, baseURL, allowed }, use) => {
      const problems = await watch(context, baseURL ?? "");
      await use(undefined);
      await flush(context);
      expect(problems.filter((problem) => !allowed.some((pattern) => pattern.test(problem)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
