import type { Page, Route } from "@playwright/test";
import { expect } from "./page.ts";

/** A control that stands in the HTML of an island: which one of all in the page, and what it is. */
export interface Control {
  place: number;
  kind: string;
}

const all = "astro-island :is(button, input, select, textarea)";

/** Keeps the page's scripts away until they are let through. */
export async function withhold(page: Page): Promise<() => Promise<void>> {
  const waiting: Route[] = [];
  let open = false;
  await page.route("**/_astro/*.js", async (route) => {
    if (open) await route.continue();
    else waiting.push(route);
  });
  return async () => {
    open = true;
    await Promise.all(waiting.splice(0).map((route) => route.continue()));
  };
}

/** One control of each kind that the islands of a page have before their scripts, those that cannot be used left out. */
export async function controlsOf(page: Page): Promise<Control[]> {
  const controls = await page.locator(all).evaluateAll((elements) =>
    elements.map((element, place) => {
      const { name = "", type = "" } = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
      const isOff = element.matches(":disabled, [aria-disabled=true], [type=hidden]") || !element.checkVisibility();
      const label = element.getAttribute("aria-label") ?? element.closest("button")?.className ?? "";
      const island = element.closest("astro-island")?.getAttribute("component-export");
      const state = element instanceof HTMLInputElement && element.checked ? "checked" : "";
      return isOff ? null : { place, kind: [island, element.tagName, type, name, label, state].filter(Boolean).join(" ") };
    }),
  );
  const kinds = new Map(controls.flatMap((one) => (one ? [[one.kind, one] as const] : [])));
  return [...kinds.values()];
}

/** Uses a control as a thumb or a keyboard does. */
export async function use(page: Page, { place }: Control): Promise<void> {
  const control = page.locator(all).nth(place);
  const type = await control.evaluate((element) =>
    element instanceof HTMLInputElement ? element.type : element.tagName.toLowerCase(),
  );
  if (type === "radio" || type === "checkbox") await control.locator("xpath=ancestor::label").tap();
  else if (type === "select") await control.selectOption({ index: 1 });
  else if (type === "button") await control.tap();
  else {
    await control.focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("2");
  }
}

/** Waits until what is pressed is kept for React: before, a button that only a script can answer shows that nothing came of it. */
export async function listening(page: Page): Promise<void> {
  await page.waitForFunction(() => customElements.get("astro-island"));
}

/** Starts all islands, of the page that it is once it has come to one, and waits for them. */
export async function hydrated(page: Page): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => {
      for (const island of document.querySelectorAll("astro-island[ssr]")) island.dispatchEvent(new Event("wake"));
    });
    await expect(page.locator("astro-island[ssr]")).toHaveCount(0, { timeout: 2_000 });
  }).toPass();
}

/** What using a control has come to: where the page is, the state of each control, what is open. Clocks run on meanwhile. */
export async function outcomeOf(page: Page): Promise<unknown> {
  let outcome: unknown;
  // It may lead to another page.
  await expect(async () => {
    await page.waitForLoadState("networkidle");
    const before = await page.evaluate(look);
    await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));
    outcome = await page.evaluate(look);
    // What was done is drawn, and nothing moves any more.
    expect(outcome).toEqual(before);
  }).toPass();
  return outcome;
}

function look() {
  return {
    // A variant of several sides is sent as its sides, or as itself: what comes of it has its own test.
    url: location.pathname + decodeURIComponent(location.search).replace(/\?(sku|spec-).*/, ""),
    controls: [...document.querySelectorAll("main :is(button, input, select, textarea), dialog[open]")].map((element) => {
      const {
        checked = null,
        value = null,
        disabled = null,
      } = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement
        ? { checked: element instanceof HTMLInputElement && element.checked, value: element.value, disabled: element.disabled }
        : {};
      const aria = [...element.attributes].filter(({ name }) =>
        /^aria-(pressed|selected|expanded|invalid|valuenow)$/.test(name),
      );
      return [element.tagName, checked, value, disabled, ...aria.map(({ name, value }) => `${name}=${value}`)].join(" ");
    }),
  };
}
