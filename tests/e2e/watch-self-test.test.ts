import { test as base, expect, type Page } from "@playwright/test";
import { flush, waitForIdle, watch } from "./support/watch.ts";

// Provokes every problem that the watch must report: a watch that reports nothing lets every test pass.
const provocations: [what: string, pattern: RegExp, provoke: (page: Page) => Promise<unknown>][] = [
  [
    "a style attribute",
    /^policy: style-src-attr/,
    (page) => page.evaluate(() => document.body.setAttribute("style", "color:red")),
  ],
  [
    "an inline style sheet",
    /^policy: style-src-elem/,
    (page) =>
      page.evaluate(() =>
        document.body.append(Object.assign(document.createElement("style"), { textContent: "p{color:red}" })),
      ),
  ],
  [
    "markup from a string",
    /^policy: require-trusted-types-for/,
    (page) =>
      page.evaluate(() => {
        try {
          document.body.innerHTML = "<p>";
        } catch {}
      }),
  ],
  [
    "a picture from elsewhere",
    /^policy: img-src/,
    (page) => page.evaluate(() => new Image().setAttribute("src", "https://elsewhere.example/a.png")),
  ],
  [
    "a request to elsewhere",
    /^policy: connect-src/,
    (page) => page.evaluate(() => fetch("https://elsewhere.example/").catch(() => undefined)),
  ],
  ["a warning", /^console warning: careful/, (page) => page.evaluate(() => console.warn("careful"))],
  ["an error", /^console error: broken/, (page) => page.evaluate(() => console.error("broken"))],
  ["a missing file", /^console error: .*404/, (page) => page.evaluate(() => fetch("/no.txt"))],
  [
    "an uncaught error",
    /^uncaught: Error: thrown/,
    (page) => page.evaluate(() => void setTimeout(() => Promise.reject(new Error("thrown")))),
  ],
  [
    "a layout shift",
    /^layout shift 0\.\d*[1-9]/,
    (page) =>
      page.evaluate(() =>
        document.body.prepend(
          Object.assign(document.createElement("p"), { className: "wide", textContent: "x ".repeat(3000) }),
        ),
      ),
  ],
  [
    "a footer that is pushed without a press",
    /^layout shift 0\.\d+: footer/,
    async (page) => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await page.evaluate(() => {
        const filler = Object.assign(document.createElement("p"), { textContent: "x ".repeat(3000) });
        document.querySelector("main")?.append(filler);
      });
    },
  ],
];

base("the watch reports every kind of problem", { tag: "@desktop" }, async ({ context, page, baseURL }) => {
  const problems = await watch(context, baseURL ?? "");
  for (const [what, pattern, provoke] of provocations) {
    await page.goto("/about/terms");
    await waitForIdle(page);
    problems.length = 0;
    await provoke(page);
    await expect
      .poll(async () => {
        await flush(context);
        return problems.some((problem) => pattern.test(problem)) ? `reported ${what}` : problems.join("\n");
      })
      .toBe(`reported ${what}`);
  }
});

base("the watch reports a request to another origin", { tag: "@desktop" }, async ({ context, page, baseURL }) => {
  const problems = await watch(context, "http://localhost:1");
  await page.goto(`${baseURL}/about/terms`);
  expect(problems.some((problem) => problem.startsWith("foreign request: "))).toBe(true);
});
