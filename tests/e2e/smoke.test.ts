import { test as base, type Page } from "@playwright/test";
import { getLocale, prefixes, withPrefix } from "#i18n/locale.ts";
import { error } from "#i18n/page.ts";
import { getRoute, matchRoute, type RouteName, routes, shellParam } from "#src/routes.ts";
import { builtPages } from "#tests/support/content/site.ts";
import { findMisplaced, findViolations, findWrongLanguage, inspectFocus } from "./support/accessibility.ts";
import { expect, onLabel, test } from "./support/page.ts";
import { flush, waitForIdle, watch } from "./support/watch.ts";

const built = builtPages().map(({ path }) => path);

/** Returns a path of a route: a built page if there is one, otherwise one that the shell serves. */
function getSamplePath(name: RouteName): string | null {
  const { path, shell } = getRoute(name);
  if (!path.includes("{")) return path;
  const builtPath = built.find((page) => {
    const match = matchRoute(page);
    return match?.name === name && match.prefix === "" && !Object.values(match.params).includes(shellParam);
  });
  return builtPath ?? (shell ? path.replace(/\{\w+\}/g, "M2601010101010000ABCD") : null);
}

for (const prefix of prefixes) {
  test(`every route opens under ${prefix || "/"}`, { tag: prefix ? ["@phone", "@full"] : "@phone" }, async ({ page }) => {
    for (const name of Object.keys(routes) as RouteName[]) {
      const path = getSamplePath(name);
      // The second page of news exists only with enough news.
      if (!path) continue;
      const response = await page.goto(withPrefix(prefix, path));
      expect(response?.status(), path).toBe(200);
      const { session } = getRoute(name);
      if (session) await page.waitForURL((url) => url.pathname === withPrefix(prefix, "/user/login"));
      await expect(page.locator("html"), path).toHaveAttribute("lang", getLocale(prefix));
      await expect(page.locator("h1"), path).toHaveCount(1);
      await expect(page.locator("h1"), path).not.toBeEmpty();
      await waitForIdle(page);
    }
  });
}

test.describe("the 404 page", () => {
  test.use({ allowed: [/status of 404/] });
  for (const prefix of prefixes) {
    test(`shows the requested path, and leads home, in the language of ${prefix || "/"}`, async ({ page }) => {
      const response = await page.goto(withPrefix(prefix, "/no/such/page"));
      expect(response?.status()).toBe(404);
      await expect(page.locator("html")).toHaveAttribute("lang", getLocale(prefix));
      await expect(page.getByText(withPrefix(prefix, "/no/such/page"))).toBeVisible();
      await page.getByRole("link", { name: error[getLocale(prefix)].home }).click();
      await expect(page).toHaveURL(prefix || "/");
    });
  }
});

// Provokes every problem that the watch must report: a watch that reports nothing lets every test pass.
const provocations: [what: string, pattern: RegExp, provoke: (page: Page) => Promise<unknown>][] = [
  [
    "a style attribute",
    /^policy: style-src-attr/,
    (page) => page.evaluate(() => document.body.setAttribute("style", "color:red")),
  ],
  [
    "an inline style sheet",
    /^policy: style-src-elem/,
    (page) =>
      page.evaluate(() =>
        document.body.append(Object.assign(document.createElement("style"), { textContent: "p{color:red}" })),
      ),
  ],
  [
    "markup from a string",
    /^policy: require-trusted-types-for/,
    (page) =>
      page.evaluate(() => {
        try {
          document.body.innerHTML = "<p>";
        } catch {}
      }),
  ],
  [
    "a picture from elsewhere",
    /^policy: img-src/,
    (page) => page.evaluate(() => new Image().setAttribute("src", "https://elsewhere.example/a.png")),
  ],
  [
    "a request to elsewhere",
    /^policy: connect-src/,
    (page) => page.evaluate(() => fetch("https://elsewhere.example/").catch(() => undefined)),
  ],
  ["a warning", /^console warning: careful/, (page) => page.evaluate(() => console.warn("careful"))],
  ["an error", /^console error: broken/, (page) => page.evaluate(() => console.error("broken"))],
  ["a missing file", /^console error: .*404/, (page) => page.evaluate(() => fetch("/no.txt"))],
  [
    "an uncaught error",
    /^uncaught: Error: thrown/,
    (page) => page.evaluate(() => void setTimeout(() => Promise.reject(new Error("thrown")))),
  ],
  [
    "a layout shift",
    /^layout shift 0\.\d*[1-9]/,
    (page) =>
      page.evaluate(() =>
        document.body.prepend(
          Object.assign(document.createElement("p"), { className: "wide", textContent: "x ".repeat(3000) }),
        ),
      ),
  ],
  [
    "a footer that is pushed without a press",
    /^layout shift 0\.\d+: footer/,
    async (page) => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await page.evaluate(() => {
        const filler = Object.assign(document.createElement("p"), { textContent: "x ".repeat(3000) });
        document.querySelector("main")?.append(filler);
      });
    },
  ],
];

base("the watch reports every kind of problem", { tag: ["@desktop", "@full"] }, async ({ context, page, baseURL }) => {
  const problems = await watch(context, baseURL ?? "");
  for (const [what, pattern, provoke] of provocations) {
    await page.goto("/about/terms");
    await waitForIdle(page);
    problems.length = 0;
    await provoke(page);
    await expect
      .poll(async () => {
        await flush(context);
        return problems.some((problem) => pattern.test(problem)) ? `reported ${what}` : problems.join("\n");
      })
      .toBe(`reported ${what}`);
  }
});

base("the watch reports a request to another origin", { tag: ["@desktop", "@full"] }, async ({ context, page, baseURL }) => {
  const problems = await watch(context, "http://localhost:1");
  await page.goto(`${baseURL}/about/terms`);
  expect(problems.some((problem) => problem.startsWith("foreign request: "))).toBe(true);
});

test.describe("the visual checks", () => {
  test.use({ allowed: [/layout shift/] });
  test("report overflow, clipping, overlap, wrong language, hidden focus and low contrast", {
    tag: ["@desktop", "@full"],
  }, async ({ page }) => {
    await page.goto("/about/terms");
    await page.evaluate(() => {
      const append = (text: string, style: Partial<CSSStyleDeclaration>, tag = "p") => {
        const element = document.createElement(tag);
        element.textContent = text;
        Object.assign(element.style, style);
        document.querySelector("main")?.append(element);
        return element;
      };
      append("much too wide", { width: "200vw", whiteSpace: "nowrap", textAlign: "right" });
      append("these four English words", { height: "4px", overflow: "hidden" });
      for (const name of ["one", "two"])
        append(name, { position: "absolute", top: "300px", left: "20px", width: "50px" }, "button");
      for (const text of ["upper", "lower"]) append(text, { position: "absolute", top: "500px", left: "20px" });
      append("dim", { color: "#eee", background: "#fff" });
      document.activeElement instanceof HTMLElement && document.activeElement.blur();
      const bare = append("bare", { outline: "none" }, "button");
      bare.focus();
    });
    const problems = (await page.evaluate(findMisplaced)).join("\n");
    for (const words of ["scrolls sideways", "outside the view", "cut off by", "on top of each other", "text on text"])
      expect(problems).toContain(words);
    expect(await page.evaluate(findWrongLanguage)).toContain("text in zh-CN: these four English words");
    expect((await page.evaluate(inspectFocus)).problem).toContain("no visible focus");
    expect((await findViolations(page)).join()).toContain("color-contrast");
  });
});

test.describe("an article of the label", { tag: ["@phone", "@full"] }, () => {
  onLabel();
  // Paper has no header.
  test.use({ colorScheme: "dark", allowed: [/layout shift/] });
  const path = "/news/tea";
  /** Returns the color of an element's text, and of what is behind it. */
  const readColors = (element: Element) => {
    const getGround = (one: Element | null): string => {
      const color = one ? getComputedStyle(one).backgroundColor : "rgb(255, 255, 255)";
      return color === "rgba(0, 0, 0, 0)" ? getGround(one?.parentElement ?? null) : color;
    };
    return [getComputedStyle(element).color, getGround(element)];
  };

  test("has on paper black words on white and the addresses of its links, and no bars, buttons and ways on", async ({
    page,
  }) => {
    await page.goto(path);
    await page.emulateMedia({ media: "print" });
    const main = page.getByRole("main");
    for (const words of [main.locator("h1"), main.locator(".prose p").first(), main.locator("blockquote")])
      expect(await words.evaluate(readColors)).toEqual(["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
    await expect(main.locator(".prose a").first()).toBeVisible();
    const links = await main.locator(".prose a").evaluateAll((all) => all.map((a) => getComputedStyle(a, "::after").content));
    expect(links).toEqual(['" (https://tea.example/menu)"', "none"]);
    for (const at of [path, "/event/lantern"]) {
      await page.goto(at);
      const shown = main.locator("h1, dl dd, .prose p").filter({ visible: true });
      await expect(shown.first()).toBeVisible();
      for (const words of await shown.all()) expect((await words.evaluate(readColors))[1]).toBe("rgb(255, 255, 255)");
      for (const part of ["body > header", "footer", "nav", "button", ".crumb", ".section", "[data-audio]", "[data-way]"])
        for (const element of await page.locator(part).all()) await expect(element, `${part} of ${at}`).toBeHidden();
    }
  });

  test("marks each link to another site in its text, and no other", async ({ page }) => {
    await page.goto(path);
    const marks = await page.locator(".prose a").evaluateAll((links) =>
      links.map((link) => ({
        isForeign: link instanceof HTMLAnchorElement && /^https?:/.test(link.getAttribute("href") ?? ""),
        mark: getComputedStyle(link, "::after").content,
      })),
    );
    expect(new Set(marks.map(({ isForeign }) => isForeign))).toEqual(new Set([true, false]));
    expect(marks.filter(({ isForeign, mark }) => isForeign !== mark.includes("↗"))).toEqual([]);
  });

  test("has links, focus and the borders of its controls in forced colours", async ({ page, t }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto(path);
    const button = page.getByRole("contentinfo").getByRole("button", { name: t.frame.dark });
    await button.focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    expect(await button.evaluate((one) => getComputedStyle(one).outlineStyle)).not.toBe("none");
    await button.click();
    expect(await button.evaluate((one) => getComputedStyle(one).borderTopWidth)).toBe("3px");
    expect(
      await page
        .locator("main .button")
        .first()
        .evaluate((one) => getComputedStyle(one).borderTopStyle),
    ).toBe("solid");
  });

  test("has no quiet text when more contrast is asked for", async ({ page }) => {
    await page.emulateMedia({ contrast: "more" });
    await page.goto(path);
    const read = (name: string) => page.evaluate((name) => getComputedStyle(document.body).getPropertyValue(name), name);
    expect(await read("--ink-3")).toBe(await read("--ink-2"));
    expect(await read("--line")).toBe(await read("--line-strong"));
    const quiet = page.locator("main time").first();
    await page.emulateMedia({ contrast: "no-preference" });
    const before = await quiet.evaluate(readColors);
    await page.emulateMedia({ contrast: "more" });
    expect(await quiet.evaluate(readColors)).not.toEqual(before);
  });
});
