import { expect, type Locator, type Page } from "@playwright/test";
import { focusSeen } from "./visual-checks.ts";

/** Goes on by Tab until the focus is on something; on the way it is seen at every stop. */
export async function tabTo(page: Page, goal: Locator): Promise<void> {
  await expect(goal).toBeVisible();
  for (let step = 0; step < 120; step += 1) {
    await page.keyboard.press("Tab");
    const { at, problem } = await page.evaluate(focusSeen);
    expect(problem).toBe("");
    if (await goal.evaluate((element) => element === document.activeElement)) return;
    if (!at && step > 0) await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never comes to ${goal}`);
}

/** Presses what is reached by Tab. */
export async function enterOn(page: Page, goal: Locator): Promise<void> {
  await tabTo(page, goal);
  await page.keyboard.press("Enter");
}
