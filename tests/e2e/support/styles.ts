import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { type CssNode, generate, ident, parse, type Selector, walk } from "css-tree";
import { builtPages } from "../../support/site.ts";
import { root } from "../../support/sources.ts";

/** A selector of the full stylesheet. */
interface Full {
  selector: string;
  /** The classes that a page must have some rule for; none: the page must have this very selector. */
  classes: string[];
}

function selectorsOf(css: string): Selector[] {
  const found: Selector[] = [];
  walk(parse(css), function (node: CssNode) {
    // The steps of key frames are no selectors; nested ones say nothing on their own.
    if (node.type === "Selector" && this.rule?.prelude?.type === "SelectorList" && !/keyframes$/.test(this.atrule?.name ?? ""))
      if (this.rule.prelude.children.toArray().includes(node) && !generate(node).includes("&")) found.push(node);
  });
  return found;
}

function classesOf(selector: Selector): string[] {
  const found: string[] = [];
  walk(selector, (node) => {
    if (node.type === "ClassSelector") found.push(ident.decode(node.name));
  });
  return found;
}

// It comes with the first notification.
const later = readFileSync(join(root, "src/features/notification/notification.css"), "utf8");

/** Everything that has a style rule anywhere: the rules of all built pages, and those of the sources, which may stand on none. */
export function fullStyles(): Full[] {
  const texts = builtPages().flatMap(({ tags }) => tags.flatMap(({ name, text }) => (name === "style" && text ? [text] : [])));
  const built = new Set([...new Set(texts)].flatMap((css) => selectorsOf(css).map((selector) => generate(selector))));
  for (const selector of selectorsOf(later)) built.delete(generate(selector));
  const written = readdirSync(join(root, "src/styles"))
    .filter((file) => file.endsWith(".css"))
    .flatMap((file) => selectorsOf(readFileSync(join(root, "src/styles", file), "utf8")))
    .map((selector) => ({ selector: generate(selector), classes: classesOf(selector) }));
  return [
    ...Array.from(built, (selector) => ({ selector, classes: [] })),
    ...written.filter(({ classes }) => classes.length > 0),
  ];
}

/** What stands on the page and has rules in the full stylesheet but not in the page's own. */
export async function unstyled(page: Page, full: Full[]): Promise<string[]> {
  const sheets = await page.locator("style").allTextContents();
  const own = sheets.flatMap(selectorsOf);
  const selectors = new Set(own.map((selector) => generate(selector)));
  const classes = new Set(own.flatMap(classesOf));
  const lost = full.filter((one) =>
    one.classes.length > 0 ? one.classes.some((name) => !classes.has(name)) : !selectors.has(one.selector),
  );
  const matching = await page.evaluate(
    (all) => {
      const element = (selector: string) =>
        selector.replace(/::?(before|after|marker|placeholder|backdrop|selection)$|::[\w-]+(\([^)]*\))?/g, "") || "*";
      return all.filter((selector) => {
        try {
          return document.querySelector(element(selector)) !== null;
        } catch {
          return false;
        }
      });
    },
    lost.map(({ selector }) => selector),
  );
  return [...new Set(matching)];
}

const heights: Record<string, number> = { "b-2xs": 24, "b-xs": 28, "b-sm": 32, "b-md": 40, "b-lg": 48, "b-xl": 56 };

/** Buttons that are not as high as their size says. */
export async function wrongHeights(page: Page): Promise<string[]> {
  const buttons = await page.locator(".btn:visible").evaluateAll((all) =>
    all.map((one) => ({
      words: one.textContent ?? "",
      classes: [...one.classList],
      height: one instanceof HTMLElement ? one.offsetHeight : 0,
    })),
  );
  return buttons.flatMap(({ words, classes, height }) => {
    const size = classes.find((name) => name in heights) ?? "";
    return heights[size] === height ? [] : [`"${words}" (${size}) is ${height} px high`];
  });
}

/** Starts all islands, and waits until they have drawn what they ask for. Specimens of what is loading stay so. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => {
    for (const island of document.querySelectorAll("astro-island[ssr]")) island.dispatchEvent(new Event("wake"));
  });
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
  await page.waitForLoadState("networkidle");
  if (new URL(page.url()).pathname === "/user/ui") return;
  await expect(page.locator("main [aria-busy=true]:visible")).toHaveCount(0);
}
