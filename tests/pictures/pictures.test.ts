import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { folder, readRecord, takesNew } from "./record.ts";

const { origin, at, pages, members } = readRecord();

for (const { name, path, by } of pages)
  test.describe(() => {
    const localStorage = Object.entries(by ? members[by] : {}).map(([name, value]) => ({ name, value }));
    test.use({ storageState: { cookies: [], origins: [{ origin, localStorage }] } });

    test(name, async ({ page, context, locale }, { project, config }) => {
      await context.clock.setFixedTime(at);
      await context.routeFromHAR(join(folder, "answers", `${name}-${project.name}.har`), {
        url: "**/v1/**",
        update: takesNew(config),
        updateContent: "embed",
        notFound: "fallback",
      });
      const prefix = locale === "zh-CN" ? "" : `/${locale}`;
      await page.goto(origin + prefix + (path === "/" && prefix ? "" : path));
      await page.waitForLoadState("networkidle");
      await page.evaluate(loadAll);
      await moveBarsToEnd(page);
      // Countdowns follow the server's clock, which goes on.
      const countdowns = page.locator("b, [role=timer]").filter({ hasText: /^\d\d:\d\d$/ });
      await expect(page).toHaveScreenshot(`${name}.png`, { fullPage: true, mask: [countdowns] });
    });
  });

/** Waits for all pictures and fonts of the document. */
async function loadAll(): Promise<void> {
  for (const image of document.images) image.loading = "eager";
  await Promise.all(Array.from(document.images, (image) => image.decode().catch(() => {})));
  await document.fonts.ready;
}

/** Moves fixed bars to the end of a full-page picture, off its middle. */
function moveBarsToEnd(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.body.style.position = "relative";
    for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
      const { position, bottom } = getComputedStyle(element);
      if (position !== "fixed" || bottom !== "0px") continue;
      element.style.position = "absolute";
      // Out of what is positioned around it, which it would end with.
      document.body.append(element);
    }
  });
}
