import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Returns the axe violations of a page in its current state, open dialogs included. */
export async function findViolations(page: Page): Promise<string[]> {
  // The sticky button of a long dialog covers what is behind it, except at the end.
  await page.evaluate(() => document.querySelector("dialog[open]")?.scrollTo({ top: 1e5, behavior: "instant" }));
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] })
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any, all, none }) => {
      const reason = [...any, ...all, ...none][0]?.message ?? "";
      return `${id}: ${target.join(" ")} ${reason}`;
    }),
  );
}
