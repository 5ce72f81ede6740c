import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { splitPrefix } from "#i18n/locale.ts";
import { contract } from "#src/api/contract.ts";
import { getRoute, matchRoute } from "#src/routes.ts";
import { type Demo, demoOrders } from "#tests/support/client/demo.ts";
import { type BuiltPage, builtPages } from "#tests/support/content/site.ts";
import { listStyleRules, type StyleRule } from "#tests/support/content/style-rules.ts";
import { root } from "#tests/support/rules/sources.ts";
import { waitForIslands } from "./support/before-hydration.ts";
import { callServer, logIn } from "./support/member.ts";
import { expect, serveShell, test } from "./support/page.ts";

// Loads with the first notification.
const deferredCss = readFileSync(join(root, "src/features/notification/notification.css"), "utf8");
const deferred = new Set(listStyleRules(deferredCss).map(({ selector }) => selector));

/** Rules of the sources, which may be in no page: a page must have some rule for each of their classes. */
const sourceRules = readdirSync(join(root, "src/styles"))
  .filter((file) => file.endsWith(".css"))
  .flatMap((file) => listStyleRules(readFileSync(join(root, "src/styles", file), "utf8")))
  .filter(({ classes }) => classes.length > 0);

const getStyles = ({ tags }: BuiltPage) => tags.flatMap(({ name, text }) => (name === "style" && text ? [text] : [])).join("");

/** Returns every rule that a page of a build has, by its name. */
function collectStyleRules(pages: readonly BuiltPage[]): Map<string, StyleRule> {
  const rules = [...new Set(pages.map(getStyles))].flatMap(listStyleRules);
  return new Map(rules.filter(({ selector }) => !deferred.has(selector)).map((rule) => [rule.name, rule]));
}

/** Returns the rules that a page of these styles does not have. */
function findMissing(styles: string, rules: Map<string, StyleRule>): StyleRule[] {
  const own = listStyleRules(styles);
  const names = new Set(own.map(({ name }) => name));
  const classes = new Set(own.flatMap((rule) => rule.classes));
  return [
    // Custom properties count where the page refers to them.
    ...[...rules.values()].filter(
      ({ name, properties: set }) =>
        !names.has(name) && (set.length === 0 || set.some((property) => styles.includes(`var(${property}`))),
    ),
    ...sourceRules.filter((rule) => rule.classes.some((name) => !classes.has(name))),
  ];
}

/** Returns the rules that have something to match in the page, or in a document that is given as a text. */
const findMatching = (page: Page, rules: readonly StyleRule[], html?: string) =>
  // One text arrives in a sixth of the time that a thousand objects need.
  page.evaluate(findMatchingInPage, JSON.stringify({ rules: rules.map(({ name, target }) => ({ name, target })), html }));

function findMatchingInPage(payload: string): string[] {
  const { rules, html }: { rules: Pick<StyleRule, "name" | "target">[]; html?: string } = JSON.parse(payload);
  const read = (text: string) => {
    const parsed = new DOMParser().parseFromString(text, "text/html");
    // Scripts copy what is in a template into the page.
    for (let one = parsed.querySelector("template"); one; one = parsed.querySelector("template")) one.replaceWith(one.content);
    return parsed;
  };
  const at = html === undefined ? document : read(html);
  return [...new Set(rules.filter(({ target }) => at.querySelector(target)).map(({ name }) => name))];
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

test.use({ allowed: [/layout shift|status of (4|50)\d+/] });

const describeSite = (site: string, origin: string | undefined, pages: BuiltPage[]) => ({
  site,
  origin,
  pages,
  rules: collectStyleRules(pages),
});
const labelDist = process.env.TEST_LABEL_DIST;
const demo = describeSite("the demo", process.env.TEST_ORIGIN, builtPages());
/** A label with other kinds of content. */
const label = describeSite("a label", process.env.TEST_LABEL_ORIGIN, labelDist ? builtPages(labelDist) : []);

/** Expects styles for everything that the islands render, and the right height of every button. */
async function expectStyled(page: Page, path: string, rules = demo.rules): Promise<void> {
  await waitForIslands(page);
  const styles = (await page.locator("style").allTextContents()).join("");
  expect.soft({ [path]: await findMatching(page, findMissing(styles, rules)) }).toEqual({ [path]: [] });
  expect.soft({ [path]: await findWrongHeights(page) }).toEqual({ [path]: [] });
}

const getHeight = async (one: Locator) => (await one.boundingBox())?.height ?? 0;

const full = { tag: "@full" };

test("sampled pages contain the styles of everything they render", async ({ page }) => {
  for (const path of ["/", "/mall", "/mall/item/vinyl", "/user/login"]) {
    await page.goto(path);
    await expectStyled(page, path);
  }
});

/** A shell stands for what is published after the build; the paths of its own file show an error. */
const toAddress = (path: string) => path.replace(/\/_$/, "/none-such");
const needsSession = (path: string) => getRoute(matchRoute(path)?.name ?? "home").session;

for (const { site, origin, pages, rules } of [demo, label])
  test.describe(`of ${site}`, () => {
    test.skip(pages.length === 0, "npm run test:full builds the label");
    test.use({ baseURL: origin ?? "" });

    test("every page and shell contains the styles of all its HTML, in both languages", { tag: "@full" }, async ({ page }) => {
      // Pages under /zh-CN differ from those without prefix in links alone.
      for (const one of new Map(pages.map((one) => [one.html.replaceAll("/zh-CN", ""), one])).values()) {
        const unstyled = await findMatching(page, findMissing(getStyles(one), rules), one.html);
        expect.soft({ [one.path]: unstyled }).toEqual({ [one.path]: [] });
      }
    });

    const paths = pages
      .map(({ path }) => toAddress(path))
      .filter((path) => splitPrefix(path).prefix === "" && !needsSession(path));
    const toFolder = (path: string) => path.slice(0, path.indexOf("/", 1) + 1) || "/";
    for (const folder of new Set(paths.map(toFolder)))
      test(`every visitor page in ${folder} contains the styles of everything it renders`, full, async ({ page }) => {
        test.setTimeout(180_000);
        for (const path of paths.filter((one) => toFolder(one) === folder)) {
          await page.goto(path);
          await expectStyled(page, path, rules);
        }
      });
  });

test(
  "item and pass shells contain the styles of everything they render, also for unknown ids",
  full,
  async ({ page, isMobile }) => {
    for (const path of ["/mall/item/tee", "/mall/vip/regular"]) {
      await serveShell(page, path);
      await page.goto(path);
      await expectStyled(page, `the shell of ${path}`);
      // The item's button stands in the bar of a phone.
      const button = page.locator(":is(.main-action, .buybar) .button").filter({ visible: true }).first();
      expect(await getHeight(button)).toBe(isMobile && path.includes("/item/") ? 48 : 56);
    }
    for (const path of ["/mall/item/none-such", "/mall/vip/none-such"]) {
      await page.goto(path);
      await expectStyled(page, path);
      expect(await getHeight(page.locator("main .button.sign").first())).toBe(48);
    }
  },
);

test("choosing another pass changes its lanyard and the ground behind it", full, async ({ page }) => {
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
  expect([new Set(colours).size, new Set(grounds).size]).toEqual([3, 3]);
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
  await visit("/mall/order_event/entrance", ".main-action .button", 56);
  await visit("/mall/order_event/glass");
  await callServer(page, contract.activityBooking, { activity_uid: "entrance" });
  await visit("/mall/order_event/entrance");
  await visit("/mall/item/tote", ":is(.main-action, .buybar) .button");
  await visit("/mall/vip/regular", ".main-action .button", 56);
  await visit("/event/spring");
});

// This test sets the viewport itself.
test("checkout and order pages contain the styles of every state, and the main button has its height", {
  tag: ["@desktop", "@full"],
}, async ({ page }) => {
  test.setTimeout(240_000);
  await logIn(page);
  const visit = createVisit(page);
  const call: Demo["call"] = (row, payload) => callServer(page, row, payload);
  const orders = await demoOrders({ call }, new URL(page.url()).origin);
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
