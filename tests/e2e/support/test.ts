import { test as base, expect } from "@playwright/test";
import { flush, watch } from "./watch.ts";

interface Options {
  /** Patterns of the problems that a test provokes on purpose. Every other problem fails it. */
  allowed: RegExp[];
}

/**
 * Playwright's `test`, which also fails on hidden problems in any tab of the context: a violation of the content security
 * policy, a console error or warning, an uncaught error, an unexpected layout shift, a request to a foreign origin. A test
 * that provokes one allows it: `test.use({ allowed: [/404/] })`.
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
