import type { Page } from "@playwright/test";
import type { Call, DataOf } from "#src/api/call.ts";
import { blockScripts } from "./before-hydration.ts";
import { expect } from "./page.ts";

/** What changes a page beside its own scripts. */
export const kinds = ["a translation", "an extension", "a bilingual reader", "a password manager"] as const;
export type Kind = (typeof kinds)[number];

/** Whether it changes texts; the others change fields alone. */
export const changesTexts = (kind: Kind): boolean => kind === "a translation" || kind === "a bilingual reader";

/**
 * Changes the open document as one of these kinds does; `stays`: from now on, after each change of the page's own too. It is serialized as text, so
 * it uses nothing from outside.
 */
function changeDocument([kind, stays]: readonly [Kind, boolean]): void {
  const create = (name: string) => Object.assign(document.createElement(name), { lang: "fr", className: "foreign" });
  const isForeign = (element: Element | null) => !!element?.closest(".foreign, font, script, style, template, svg");
  const findTexts = () => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (walker.currentNode instanceof Text && walker.currentNode.data.trim() && !isForeign(walker.currentNode.parentElement))
        texts.push(walker.currentNode);
    return texts;
  };
  const fields = () => [...document.querySelectorAll<HTMLElement>("input:not([type=hidden]), textarea, select")];
  const changes: Record<Kind, () => void> = {
    // As Chrome does it; what must not be translated is wrapped too, as the text is.
    "a translation": () => {
      for (const text of findTexts()) {
        const [outer, inner] = [create("font"), create("font")];
        inner.textContent = text.parentElement?.closest("[translate=no]") ? text.data : `${text.data}°`;
        outer.append(inner);
        text.replaceWith(outer);
      }
    },
    "an extension": () => {
      for (const field of fields()) {
        if (field.nextElementSibling?.matches(".foreign")) continue;
        field.before(create("span"));
        field.after(create("div"));
        field.dataset.foreign = "";
      }
    },
    "a bilingual reader": () => {
      for (const text of findTexts()) {
        if (text.nextSibling instanceof Element && text.nextSibling.matches(".foreign")) continue;
        const line = create("font");
        line.append(document.createElement("br"), "°");
        text.after(line);
      }
    },
    "a password manager": () => {
      for (const field of fields()) {
        if (field === document.activeElement || field.parentElement?.matches(".foreign")) continue;
        const box = create("span");
        field.replaceWith(box);
        box.append(field);
      }
    },
  };
  changes[kind]();
  if (stays)
    new MutationObserver(changes[kind]).observe(document.body, { childList: true, subtree: true, characterData: true });
}

/** A visit whose pages are changed before hydration, after it, and while an answer is under way. */
export async function createVisit(page: Page, kind: Kind) {
  const change = (stays: boolean) => page.evaluate(changeDocument, [kind, stays] as const);

  /** Opens a page; the visitor does something `early`, before its scripts have loaded. */
  async function open(path: string, early?: () => Promise<void>): Promise<void> {
    const release = await blockScripts(page);
    await page.goto(path, { waitUntil: "commit" });
    await page.waitForFunction(() => document.readyState !== "loading");
    await change(false);
    await early?.();
    await release();
    await expect(async () => {
      await page.evaluate(() => {
        for (const island of document.querySelectorAll("astro-island[ssr]")) island.dispatchEvent(new Event("hydrate-request"));
      });
      await expect(page.locator("astro-island[ssr]")).toHaveCount(0, { timeout: 1000 });
    }).toPass();
    // A browser goes on with what is new.
    await change(kind === "a translation");
  }

  /** Holds the answers to a call, which `send` sends, until the page has been changed; `edit` changes their data. */
  async function during<C extends Call>(call: C, send: () => Promise<void>, edit?: (data: DataOf<C>) => void): Promise<void> {
    let respond = () => {};
    const gate = new Promise<void>((resolve) => (respond = resolve));
    let report = () => {};
    const answered = new Promise<void>((resolve) => (report = resolve));
    await page.route(`**${call.path}`, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      edit?.(json.data);
      report();
      await gate;
      await route.fulfill({ response, json });
    });
    await send();
    await answered;
    await change(true);
    respond();
  }
  return { page, open, during };
}

export type Visit = Awaited<ReturnType<typeof createVisit>>;
