import type { Page } from "@playwright/test";
import { latestLcp } from "#src/lib/page-lifecycle.ts";
import { expect, holdRequests, test } from "./support/page.ts";
import { recordMotion, waitForIdle } from "./support/watch.ts";

const face = /\/entrance-latin\.[\w-]+\.woff2$/;

/** Returns the paths of the display face that the page requests from now on; the list grows. */
function recordFaces(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    if (face.test(request.url())) paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

/** Two frames after the text of a page is there, which is when a browser has requested the fonts that the text names. */
async function waitForText(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  });
}

/** Removes the time limits of the pages that are opened from now on, after which nothing is held back. */
async function removeLimits(page: Page): Promise<void> {
  await page.addInitScript((limit) => {
    const start = setTimeout;
    const startShort = (run: () => void, delay = 0) => (delay < limit ? start(run, delay) : 0);
    Object.assign(window, { setTimeout: startShort });
  }, latestLcp);
}

/** Opens a page whose pictures are held; its script has run. */
async function openWithoutPictures(page: Page, path: string): Promise<() => Promise<void>> {
  await removeLimits(page);
  const release = await holdRequests(page, "**/pictures/**");
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await waitForText(page);
  return release;
}

test.describe("the display face", { tag: "@phone" }, () => {
  test("is not requested before the largest picture of the first page, and once that has been painted", async ({ page }) => {
    const faces = recordFaces(page);
    const release = await openWithoutPictures(page, "/event/entrance");
    expect(faces).toEqual([]);
    await release();
    await expect.poll(() => faces).toHaveLength(1);
  });

  test("is not requested before the script of a first page of text", async ({ page }) => {
    await removeLimits(page);
    const faces = recordFaces(page);
    const release = await holdRequests(page, "**/_astro/Base.*.js");
    await page.goto("/about/terms", { waitUntil: "commit" });
    await waitForText(page);
    expect(faces).toEqual([]);
    await release();
    await expect.poll(() => faces).toHaveLength(1);
  });

  test("is there at once on a reader's next page", async ({ page }) => {
    await page.goto("/about/terms");
    const release = await holdRequests(page, "**/_astro/Base.*.js");
    await page.getByRole("contentinfo").getByRole("link", { name: "隐私政策" }).click();
    await page.waitForURL("**/about/privacy", { waitUntil: "commit" });
    await waitForText(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCSS("font-family", /^Entrance,/);
    await release();
  });
});

test.describe("without JavaScript the display face", { tag: "@phone" }, () => {
  test.use({ javaScriptEnabled: false });
  test("is requested", async ({ page }) => {
    const faces = recordFaces(page);
    await page.goto("/about/terms");
    await expect.poll(() => faces).toHaveLength(1);
  });
});

test("the list of shows lays out the past ones after its largest picture", { tag: "@phone" }, async ({ page }) => {
  const past = page.locator("[data-board=past]");
  const release = await openWithoutPictures(page, "/event");
  await expect(past).toHaveCSS("content-visibility", "auto");
  await release();
  await expect(past).toHaveCSS("content-visibility", "visible");
});

test.describe("the home page", { tag: "@phone" }, () => {
  const goods = "#goods";
  const row = "[data-ends] img";

  test("lays out what is below the window, and loads the posters of its rows, after its largest picture", async ({ page }) => {
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    const release = await openWithoutPictures(page, "/");
    const getSource = (image: string) => page.locator(image).first().getAttribute("src");
    const [poster, below] = [await getSource(row), await getSource("[data-transition^=c-]")];
    await expect.poll(() => requested).toContain(below);
    expect(requested).not.toContain(poster);
    await expect(page.locator(goods)).toHaveCSS("content-visibility", "auto");
    await release();
    await expect(page.locator(goods)).toHaveCSS("content-visibility", "visible");
    await expect.poll(() => requested).toContain(poster);
  });

  test("is at the same place, laid out as a whole, after a reload", async ({ page }) => {
    await removeLimits(page);
    await page.goto("/");
    await waitForIdle(page);
    await page.locator(goods).evaluate((section) => section.scrollIntoView({ behavior: "instant" }));
    const getTop = () => page.locator(goods).evaluate((section) => Math.round(section.getBoundingClientRect().top));
    const top = await getTop();
    const release = await holdRequests(page, "**/_astro/Base.*.js");
    await page.reload({ waitUntil: "commit" });
    await waitForText(page);
    await expect(page.locator(goods)).toHaveCSS("content-visibility", "visible");
    await release();
    await expect.poll(getTop).toBe(top);
  });

  for (const [what, address] of [
    ["a section", `/${goods}`],
    ["a text", "/#:~:text=x"],
  ] as const)
    test(`is laid out as a whole where its address names ${what}`, async ({ page }) => {
      await removeLimits(page);
      const release = await holdRequests(page, "**/_astro/Base.*.js");
      await page.goto(address, { waitUntil: "commit" });
      await waitForText(page);
      await expect(page.locator(goods)).toHaveCSS("content-visibility", "visible");
      await release();
      if (what === "a section") await expect(page.locator(goods)).toBeInViewport();
    });

  test("has its posters and the display face though its script does not come", async ({ page }) => {
    const faces = recordFaces(page);
    await holdRequests(page, "**/_astro/Base.*.js");
    await page.goto("/", { waitUntil: "commit" });
    await expect(page.locator(row).first()).toBeHidden();
    await expect(page.locator(row).first()).toBeVisible();
    await expect.poll(() => faces).toHaveLength(1);
  });
});

test("the display face moves nothing as it comes: a heading is as wide in each font of the system that stands in for it", {
  tag: "@desktop",
}, async ({ page }) => {
  const compared = new Set<string>();
  for (const path of ["/en-US", "/en-US/event", "/en-US/news", "/en-US/mall"]) {
    await page.goto(path);
    await expect(page.locator("html")).not.toHaveAttribute("data-before-lcp");
    const widths = await page.evaluate(async () => {
      const [face = "", spaces = "", ...others] = getComputedStyle(document.querySelector("h1") as Element).fontFamily.split(
        ", ",
      );
      const isOfSystem = (family: string) =>
        document.fonts.load(`700 1px ${family}`).then(
          (faces) => faces.some(({ status }) => status === "loaded"),
          () => false,
        );
      const standIns: string[] = [];
      for (const family of others) if (await isOfSystem(family)) standIns.push(`${spaces}, ${family}`);
      await document.fonts.load(`700 1px ${face}`);
      await isOfSystem(spaces);
      const heading = document.body.appendChild(document.createElement("h2"));
      heading.style.cssText = "position: absolute; white-space: pre; font-size: 100px";
      const getWidth = (family: string, text: string | null) => {
        heading.style.fontFamily = family;
        heading.textContent = text;
        return heading.getBoundingClientRect().width;
      };
      const texts = [...new Set([...document.querySelectorAll("h1, h2, h3")].map(({ textContent }) => textContent.trim()))];
      return texts
        .filter((text) => /^[ -~’]{12,}$/.test(text))
        .flatMap((text) => standIns.map((family) => ({ family, text, ratio: getWidth(family, text) / getWidth(face, text) })));
    });
    for (const { family, text, ratio } of widths) {
      compared.add(family);
      expect(Math.abs(ratio - 1), `${family}: ${text}: ${ratio.toFixed(3)}`).toBeLessThan(0.02);
    }
  }
  expect(compared.size).toBeGreaterThan(0);
});

test.describe("on a slow phone", { tag: "@phone" }, () => {
  test.use({ contextOptions: { reducedMotion: "no-preference" } });
  for (const [kind, list, link] of [
    ["show", "/event", "[data-board=coming] h3 a"],
    ["tour", "/event", "main a:has([data-transition^=c-])"],
    ["article", "/news", "main h2 a"],
    ["item", "/mall", "[data-goods]"],
  ] as const)
    test(`the cover of the ${kind} travels from the list to its page, whose first frame has it`, async ({ page }) => {
      const readMotion = await recordMotion(page);
      await page.goto(list);
      await waitForIdle(page);
      const session = await page.context().newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: 10 });
      await page.locator(link).first().click();
      const cover = page.locator("main [data-transition]").first();
      await expect(cover).toBeVisible({ timeout: 15_000 });
      await expect.poll(readMotion).toContain(`::view-transition-group(${await cover.getAttribute("data-transition")})`);
    });
});
