import type { Page } from "@playwright/test";
import { findViolations } from "./axe.ts";
import { findMisplaced, findWrongLanguage } from "./visual-checks.ts";

type ProblemsByCheck = Record<string, string[]>;

const withoutEmpty = (faults: ProblemsByCheck): ProblemsByCheck =>
  Object.fromEntries(Object.entries(faults).filter(([, problems]) => problems.length > 0));

/** Returns the problems of a page in its current state: language, and layout and axe on a dark phone and a light desktop. */
export async function checkTwoWidths(page: Page): Promise<ProblemsByCheck> {
  const problems: ProblemsByCheck = { language: await page.evaluate(findWrongLanguage) };
  for (const [colorScheme, width] of [
    ["dark", 375],
    ["light", 1440],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    problems[`${width} px`] = await page.evaluate(findMisplaced);
    problems[`axe ${width} px, ${colorScheme}`] = await findViolations(page);
  }
  return withoutEmpty(problems);
}

/** Returns the same problems, and those of the layout at 1920 px, at 200 % zoom (720 px) and at 320 px. */
export async function checkAllWidths(page: Page): Promise<ProblemsByCheck> {
  const problems = await checkTwoWidths(page);
  for (const width of [1920, 720, 320]) {
    await page.setViewportSize({ width, height: 900 });
    problems[`${width} px`] = await page.evaluate(findMisplaced);
  }
  return withoutEmpty(problems);
}
