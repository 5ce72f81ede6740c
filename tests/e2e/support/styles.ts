import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { type CssNode, generate, ident, parse, type Selector, walk } from "css-tree";
import { builtPages } from "../../support/content/site.ts";
import { root } from "../../support/rules/sources.ts";
import { waitForIdle } from "./watch.ts";

/** A selector of the full style sheet. */
interface StyleRule {
  selector: string;
  /** The classes that a page must have some rule for; if empty, the page must have exactly this selector. */
  classes: string[];
}

function parseSelectors(css: string): Selector[] {
  const selectors: Selector[] = [];
  walk(parse(css), function (node: CssNode) {
    // A page without utilities that use Tailwind's variables does not declare them.
    if (this.atrule?.prelude && generate(this.atrule.prelude) === "properties") return;
    // Skips keyframe steps, and nested selectors, which have no meaning on their own.
    if (node.type === "Selector" && this.rule?.prelude?.type === "SelectorList" && !/keyframes$/.test(this.atrule?.name ?? ""))
      if (this.rule.prelude.children.toArray().includes(node) && !generate(node).includes("&")) selectors.push(node);
  });
  return selectors;
}

function getClasses(selector: Selector): string[] {
  const classes: string[] = [];
  walk(selector, (node) => {
    if (node.type === "ClassSelector") classes.push(ident.decode(node.name));
  });
  return classes;
}

// Loads with the first notification.
const deferredCss = readFileSync(join(root, "src/features/notification/notification.css"), "utf8");

/** Returns all style rules: those of all built pages and those of the sources, which may be in no page. */
export function collectStyleRules(): StyleRule[] {
  const texts = builtPages().flatMap(({ tags }) => tags.flatMap(({ name, text }) => (name === "style" && text ? [text] : [])));
  const builtSelectors = new Set(
    [...new Set(texts)].flatMap((css) => parseSelectors(css).map((selector) => generate(selector))),
  );
  for (const selector of parseSelectors(deferredCss)) builtSelectors.delete(generate(selector));
  const sourceRules = readdirSync(join(root, "src/styles"))
    .filter((file) => file.endsWith(".css"))
    .flatMap((file) => parseSelectors(readFileSync(join(root, "src/styles", file), "utf8")))
    .map((selector) => ({ selector: generate(selector), classes: getClasses(selector) }));
  return [
    ...Array.from(builtSelectors, (selector) => ({ selector, classes: [] })),
    ...sourceRules.filter(({ classes }) => classes.length > 0),
  ];
}

/** Returns selectors that match elements on the page but have no rule in the page's own styles. */
export async function findUnstyled(page: Page, rules: StyleRule[]): Promise<string[]> {
  const styleTexts = await page.locator("style").allTextContents();
  const own = styleTexts.flatMap(parseSelectors);
  const selectors = new Set(own.map((selector) => generate(selector)));
  const classes = new Set(own.flatMap(getClasses));
  const missing = rules.filter((one) =>
    one.classes.length > 0 ? one.classes.some((name) => !classes.has(name)) : !selectors.has(one.selector),
  );
  const matching = await page.evaluate(
    (all) => {
      const element = (selector: string) =>
        selector
          .replace(/::backdrop$/, ":is(dialog, [popover])")
          .replace(/::?(before|after|marker|placeholder|selection)$|::[\w-]+(\([^)]*\))?/g, "") || "*";
      return all.filter((selector) => {
        try {
          return document.querySelector(element(selector)) !== null;
        } catch {
          return false;
        }
      });
    },
    missing.map(({ selector }) => selector),
  );
  return [...new Set(matching)];
}

/** Heights by the class of the size, in pixels; 40 without one. */
const heights: Record<string, number> = {
  "button-2xs": 24,
  "button-xs": 28,
  "button-sm": 32,
  "button-lg": 48,
  "button-xl": 56,
};

/** Returns the buttons whose height differs from that of their size. */
export async function findWrongHeights(page: Page): Promise<string[]> {
  const buttons = await page.locator(".button:visible").evaluateAll((all) =>
    all.map((one) => ({
      words: one.textContent ?? "",
      classes: [...one.classList],
      height: one instanceof HTMLElement ? one.offsetHeight : 0,
    })),
  );
  return buttons.flatMap(({ words, classes, height }) => {
    const size = classes.find((name) => name in heights) ?? "";
    return (heights[size] ?? 40) === height ? [] : [`"${words}" (${size}) is ${height} px high`];
  });
}

/** Hydrates all islands and waits until they have loaded; the loading examples on /user/ui stay as they are. */
export async function waitForIslands(page: Page): Promise<void> {
  await waitForIdle(page);
  await page.evaluate(() => {
    for (const island of document.querySelectorAll("astro-island[ssr]")) island.dispatchEvent(new Event("hydrate-request"));
  });
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
  await waitForIdle(page);
  if (new URL(page.url()).pathname === "/user/ui") return;
  await expect(page.locator("main [aria-busy=true]:visible")).toHaveCount(0);
}
