import { expect, type Locator, type Page } from "@playwright/test";
import { inspectFocus } from "./visual-checks.ts";

/** Presses Tab until `goal` has the focus; checks the focus indicator at every stop. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let step = 0; step < 120; step += 1) {
    await page.keyboard.press("Tab");
    const { at, problem } = await page.evaluate(inspectFocus);
    expect(problem).toBe("");
    if (await target.evaluate((element) => element === document.activeElement)) return;
    if (!at && step > 0) await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Presses Enter on `goal`, reached by Tab. */
export async function pressEnterOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}
