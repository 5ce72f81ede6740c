import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { type CssNode, generate, ident, parse, type Selector, walk } from "css-tree";
import { demoOrders } from "../../scripts/demo.ts";
import { contract } from "../../src/api/contract.ts";
import { builtPages } from "../support/content/site.ts";
import { root } from "../support/rules/sources.ts";
import { waitForIslands } from "./support/before-hydration.ts";
import { callPath, callServer, logIn } from "./support/member.ts";
import { expect, samplePaths, test } from "./support/page.ts";

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
function collectStyleRules(): StyleRule[] {
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
async function findUnstyled(page: Page, rules: StyleRule[]): Promise<string[]> {
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
async function findWrongHeights(page: Page): Promise<string[]> {
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

test.use({ allowed: [/layout shift|status of (404|500)/] });

const styleRules = collectStyleRules();

/** Expects styles for everything that the islands render, and the right height of every button. */
async function expectStyled(page: Page, path: string): Promise<void> {
  await waitForIslands(page);
  expect.soft({ [path]: await findUnstyled(page, styleRules) }).toEqual({ [path]: [] });
  expect.soft({ [path]: await findWrongHeights(page) }).toEqual({ [path]: [] });
}

const getHeight = async (one: Locator) => (await one.boundingBox())?.height ?? 0;

/** Serves the shell at the path of a built page, as for something published after the build. */
async function serveShell(page: Page, path: string): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const shell = await route.fetch({ url: new URL(path.replace(/[^/]+$/, "no-such"), route.request().url()).href });
    await route.fulfill({ response: shell });
  });
}

// Walks of many pages: `npm test` looks at those with the most islands.
const full = { tag: "@full" };
const sampled: readonly string[] = ["/", "/mall", "/mall/item/vinyl", "/user/login"];

for (const isSampled of [true, false])
  test(
    `${isSampled ? "sampled" : "other"} visitor pages contain the styles of everything they render`,
    isSampled ? {} : full,
    async ({ page }) => {
      test.setTimeout(120_000);
      for (const path of samplePaths.filter((one) => sampled.includes(one) === isSampled)) {
        await page.goto(path);
        await expectStyled(page, path);
      }
    },
  );

test(
  "item and pass shells contain the styles of everything they render, also for unknown ids",
  full,
  async ({ page, isMobile }) => {
    for (const path of ["/mall/item/tee", "/mall/vip/regular"]) {
      await serveShell(page, path);
      await page.goto(path);
      await expectStyled(page, `the shell of ${path}`);
      // The item's button stands in the bar of a phone.
      const button = page.locator(":is(.cta-r, .buybar) .button").filter({ visible: true }).first();
      expect(await getHeight(button)).toBe(isMobile && path.includes("/item/") ? 48 : 56);
    }
    for (const path of ["/mall/item/none-such", "/mall/vip/none-such"]) {
      await page.goto(path);
      await expectStyled(page, path);
      expect(await getHeight(page.locator("main .button.sign").first())).toBe(48);
    }
  },
);

test("choosing another pass changes the lanyard, not the ground behind it", async ({ page }) => {
  await page.goto("/mall/vip/listener");
  await waitForIslands(page);
  const [colours, grounds]: [string[], string[]] = [[], []];
  for (const radio of await page.locator("[name=redirect]").all()) {
    await radio.check();
    grounds.push(
      await page.locator(".vip-page").evaluate(async (one) => {
        await Promise.all(one.getAnimations().map(({ finished }) => finished));
        return getComputedStyle(one).backgroundColor;
      }),
    );
    colours.push(await page.locator(".vpass .lanyard").evaluate((one) => getComputedStyle(one).getPropertyValue("--lan")));
    await expectStyled(page, `a pass chosen on /mall/vip/listener, ${colours.length}`);
  }
  expect([new Set(colours).size, new Set(grounds).size]).toEqual([3, 1]);
  expect(colours.every(Boolean)).toBe(true);
});

/** Returns a function that opens a page, checks its styles and the minimum height in px of its `main` button. */
function createVisit(page: Page) {
  return async (path: string, main?: string, minHeight = 48) => {
    await page.goto(path);
    await expectStyled(page, path);
    if (main)
      expect
        .soft(await getHeight(page.locator(main).filter({ visible: true }).first()), `${main} of ${path}`)
        .toBeGreaterThanOrEqual(minHeight);
  };
}

test("member pages contain the styles of every state, and the main button has its height", full, async ({ page }) => {
  test.setTimeout(240_000);
  await logIn(page);
  const visit = createVisit(page);
  await visit("/user/info");
  await visit("/user/order/list", "main .button-lg");
  await visit("/mall/order_event/entrance", ".cta-r .button", 56);
  await visit("/mall/order_event/glass");
  await callServer(page, contract.activityBooking, { activity_uid: "entrance" });
  await visit("/mall/order_event/entrance");
  await visit("/mall/item/tote", ":is(.cta-r, .buybar) .button");
  await visit("/mall/vip/regular", ".cta-r .button", 56);
  await visit("/event/spring");
});

// This test sets the viewport itself.
test("checkout and order pages contain the styles of every state, and the main button has its height", {
  tag: ["@desktop", "@full"],
}, async ({ page }) => {
  test.setTimeout(240_000);
  await logIn(page);
  const visit = createVisit(page);
  const demo = { stored: { TOKEN: "", USER_INFO: "" }, call: (path: string, body?: object) => callPath(page, path, body) };
  const orders = await demoOrders(demo, new URL(page.url()).origin);
  const paid = { mall: await orders.paid("mall"), package: await orders.paid("package") };
  for (const path of ["/mall/order/confirm/tote", "/mall/order_bak/tote"]) {
    await page.setViewportSize({ width: 375, height: 667 });
    await visit(`${path}?sku=tote&quantity=1`, ".buybar .button");
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit(`${path}?sku=tote&quantity=1`, "main .sign", 52);
    await visit(`${path}?sku=no-such&quantity=1`);
  }
  await visit(`/mall/order/${paid.mall}`, ".ways .button");
  await visit(`/user/order/${paid.package}`, ".ways .button");
  await visit(`/mall/order/${await orders.pending("mall")}`, ".pay-open");
  await visit(`/user/order/${await orders.pending("package")}`, ".pay-open");
  await visit("/mall/order/no-such");
  await visit("/user/order/list");
  await visit("/user/info");
});
