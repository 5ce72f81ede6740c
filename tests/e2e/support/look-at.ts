import type { Page } from "@playwright/test";
import { violations } from "./axe.ts";
import { misplaced, wrongLanguage } from "./look.ts";

const wide = 1440;
const narrow = 375;
const modes = ["light", "dark"] as const;
type Found = Record<string, string[]>;

const onlyProblems = (found: Found): Found =>
  Object.fromEntries(Object.entries(found).filter(([, problems]) => problems.length > 0));

async function axe(page: Page, colorScheme: (typeof modes)[number], width: number, found: Found): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  found[`axe ${width} px, ${colorScheme}`] = await violations(page);
}

/** Everything that one load of a page can tell: axe in both modes and widths; at 200 % zoom (half the width) and at 320 px nothing is lost; words in the page's language. */
export async function lookAt(page: Page): Promise<Found> {
  const found: Found = { language: await page.evaluate(wrongLanguage) };
  for (const width of [wide, narrow, 1920, 720, 320]) {
    await page.setViewportSize({ width, height: 900 });
    found[`${width} px`] = await page.evaluate(misplaced);
    if (width !== wide && width !== narrow) continue;
    for (const mode of modes) await axe(page, mode, width, found);
  }
  return onlyProblems(found);
}

/** The same at less cost, for what a page comes to while it is used: a phone in one mode, a desk in the other. */
export async function glanceAt(page: Page): Promise<Found> {
  const found: Found = { language: await page.evaluate(wrongLanguage) };
  for (const [mode, width] of [
    ["dark", narrow],
    ["light", wide],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    found[`${width} px`] = await page.evaluate(misplaced);
    await axe(page, mode, width, found);
  }
  return onlyProblems(found);
}
