import type { Page } from "@playwright/test";
import { violations } from "./axe.ts";
import { misplaced, wrongLanguage } from "./visual-checks.ts";

type Found = Record<string, string[]>;

const onlyProblems = (found: Found): Found =>
  Object.fromEntries(Object.entries(found).filter(([, problems]) => problems.length > 0));

/** What a page comes to while it is used: a phone in one mode, a desk in the other; words in the page's language. */
export async function glanceAt(page: Page): Promise<Found> {
  const found: Found = { language: await page.evaluate(wrongLanguage) };
  for (const [colorScheme, width] of [
    ["dark", 375],
    ["light", 1440],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    found[`${width} px`] = await page.evaluate(misplaced);
    found[`axe ${width} px, ${colorScheme}`] = await violations(page);
  }
  return onlyProblems(found);
}

/** Everything that one load of a page can tell: the same, and at 200 % zoom (half the width), at 320 px and on a large screen nothing is lost. */
export async function lookAt(page: Page): Promise<Found> {
  const found = await glanceAt(page);
  for (const width of [1920, 720, 320]) {
    await page.setViewportSize({ width, height: 900 });
    found[`${width} px`] = await page.evaluate(misplaced);
  }
  return onlyProblems(found);
}
