import AxeBuilder from "@axe-core/playwright";
import { expect, type Locator, type Page } from "@playwright/test";

type ProblemsByCheck = Record<string, string[]>;

const withoutEmpty = (faults: ProblemsByCheck): ProblemsByCheck =>
  Object.fromEntries(Object.entries(faults).filter(([, problems]) => problems.length > 0));

/**
 * Returns the problems of a page in its current state: language; layout and axe on a dark phone and a light desktop;
 * layout at 2560 and 1920 px, at 200 % zoom (720 px) and at 320 px.
 */
export async function checkAllWidths(page: Page): Promise<ProblemsByCheck> {
  const problems: ProblemsByCheck = { language: await page.evaluate(findWrongLanguage) };
  const checkAt = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    problems[`${width} px`] = await page.evaluate(findMisplaced);
  };
  for (const [colorScheme, width] of [
    ["dark", 375],
    ["light", 1440],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await checkAt(width);
    problems[`axe ${width} px, ${colorScheme}`] = await findViolations(page);
  }
  for (const width of [2560, 1920, 720, 320]) await checkAt(width);
  return withoutEmpty(problems);
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Returns the axe violations of a page in its current state, open dialogs included. */
export async function findViolations(page: Page): Promise<string[]> {
  // The sticky button of a long dialog covers what is behind it, except at the end.
  await page.evaluate(() => document.querySelector("dialog[open]")?.scrollTo({ top: 1e5, behavior: "instant" }));
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] })
    .analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any, all, none }) => {
      const selector = target.join(" ");
      return { id, selector, problem: `${id}: ${selector} ${[...any, ...all, ...none][0]?.message ?? ""}` };
    }),
  );
  const problems: string[] = [];
  for (const { id, selector, problem } of found)
    if (id !== "target-size" || (await isTooSmall(page, selector))) problems.push(problem);
  return problems;
}

/** Returns whether a target is too small in the middle of the window: at its edge, a bar covers what has not been scrolled past it. */
async function isTooSmall(page: Page, selector: string): Promise<boolean> {
  await page
    .locator(selector)
    .first()
    .evaluate((target) => target.scrollIntoView({ block: "center", behavior: "instant" }));
  const { violations } = await new AxeBuilder({ page }).include(selector).withRules("target-size").analyze();
  return violations.length > 0;
}

/** Presses Tab until `target` has the focus; checks the focus indicator at every stop. */
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

/** Presses Enter on `target`, reached by Tab. */
export async function pressEnterOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

// Each check runs inside the page, serialized as text, and returns its problems as sentences.

/** Returns text or controls that are outside the viewport, clipped, or overlapping. */
export function findMisplaced(): string[] {
  const problems = new Set<string>();
  const viewWidth = document.documentElement.clientWidth;
  const describeElement = (element: Element) => {
    const words = (element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 30);
    return `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${words}"`;
  };
  const getAncestors = (element: Element) => {
    const path: Element[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) path.push(at);
    return path;
  };
  /** Whether to skip an element: decoration, text for screen readers only, closed or hidden content. */
  const isSkipped = (element: Element) =>
    !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
    element.closest("[aria-hidden=true], .skip, svg, script, style, template") !== null ||
    getAncestors(element).some((one) => getComputedStyle(one).clipPath === "inset(50%)");
  const scrolls = (element: Element) =>
    getAncestors(element).some((one) => /auto|scroll/.test(getComputedStyle(one).overflowX));

  if (document.documentElement.scrollWidth > viewWidth)
    problems.add(`the page scrolls sideways: ${document.documentElement.scrollWidth} in ${viewWidth}`);

  const textBoxes: { element: Element; rect: DOMRect; clamped?: Element | undefined }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || !node.nodeValue?.trim() || isSkipped(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const path = getAncestors(element);
    const floats = path.some((one) => /fixed|sticky/.test(getComputedStyle(one).position));
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || scrolls(element)) continue;
      // What follows an ellipsis is not drawn.
      const clamped = path.find((one) => getComputedStyle(one).webkitLineClamp !== "none");
      if (clamped && rect.top + rect.height / 2 > clamped.getBoundingClientRect().bottom) continue;
      if (!floats) textBoxes.push({ element, rect, clamped });
      if (rect.right > viewWidth + 1 || rect.left < -1) problems.add(`outside the view: ${describeElement(element)}`);
      for (const box of path) {
        const { overflowX, overflowY } = getComputedStyle(box);
        if (box === document.body || box === document.documentElement) break;
        const frame = box.getBoundingClientRect();
        const cutX = overflowX !== "visible" && (rect.right > frame.right + 1 || rect.left < frame.left - 1);
        // Line boxes are taller than their letters.
        const tolerance = rect.height * 0.25;
        const cutY = overflowY !== "visible" && (rect.bottom - tolerance > frame.bottom || rect.top + tolerance < frame.top);
        if (cutX || cutY)
          problems.add(
            `cut off by ${box.tagName.toLowerCase()}.${box.getAttribute("class") ?? ""}: ${describeElement(element)}`,
          );
      }
    }
  }

  textBoxes.forEach(({ element, rect, clamped }, index) => {
    for (const other of textBoxes.slice(index + 1)) {
      if (clamped && clamped === other.clamped) continue;
      // Line boxes are taller than their letters, and those of large text overlap by design.
      const tolerance = Math.max(rect.height, other.rect.height) * 0.3;
      const wide = Math.min(rect.right, other.rect.right) - Math.max(rect.left, other.rect.left);
      const high = Math.min(rect.bottom, other.rect.bottom) - Math.max(rect.top, other.rect.top);
      if (wide > 2 && high > tolerance)
        problems.add(`text on text: ${describeElement(element)} and ${describeElement(other.element)}`);
    }
  });

  /** What scrolls is drawn within its scroller alone. */
  const clip = (element: Element, rect: DOMRect) => {
    const scroller = getAncestors(element).find((one) => /auto|scroll/.test(getComputedStyle(one).overflowX));
    const { left, right } = scroller?.getBoundingClientRect() ?? rect;
    return { top: rect.top, bottom: rect.bottom, left: Math.max(left, rect.left), right: Math.min(right, rect.right) };
  };
  /** A button may stand where a field has no text. */
  const isInPadding = (field: Element, button: Element) => {
    const [outer, inner] = [field.getBoundingClientRect(), button.getBoundingClientRect()];
    const { paddingLeft, paddingRight } = getComputedStyle(field);
    return (
      field.matches("input") &&
      (inner.right <= outer.left + Number.parseFloat(paddingLeft) ||
        inner.left >= outer.right - Number.parseFloat(paddingRight))
    );
  };
  const controls = [
    ...document.querySelectorAll("a[href], button, select, textarea, summary, input:not([type=radio], [type=checkbox])"),
  ]
    .filter(
      (element) =>
        !isSkipped(element) && !getAncestors(element).some((one) => /fixed|sticky/.test(getComputedStyle(one).position)),
    )
    .map((element) => ({ element, rects: [...element.getClientRects()].map((rect) => clip(element, rect)) }));
  controls.forEach(({ element, rects }, index) => {
    for (const other of controls.slice(index + 1)) {
      if (element.contains(other.element) || other.element.contains(element)) continue;
      if (isInPadding(element, other.element) || isInPadding(other.element, element)) continue;
      const isOverlapping = rects.some((one) =>
        other.rects.some(
          (two) =>
            Math.min(one.right, two.right) - Math.max(one.left, two.left) > 2 &&
            Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 2,
        ),
      );
      if (isOverlapping)
        problems.add(`on top of each other: ${describeElement(element)} and ${describeElement(other.element)}`);
    }
  });
  return [...problems];
}

/** Returns texts whose language differs from the lang attribute; names of fewer than four words do not count. */
export function findWrongLanguage(): string[] {
  const problems = new Set<string>();
  const check = (element: Element, text: string, what: string) => {
    const language = element.closest("[lang]")?.getAttribute("lang") ?? "";
    const words = text.trim().replace(/\s+/g, " ");
    const foreign = language.startsWith("zh")
      ? /[A-Za-z]+(?:[ ,'’-]+[A-Za-z]+){3,}/
      : /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;
    if (foreign.test(words)) problems.add(`${what} in ${language}: ${words.slice(0, 60)}`);
  };
  check(document.documentElement, document.title, "title");
  check(
    document.documentElement,
    document.querySelector("meta[name=description]")?.getAttribute("content") ?? "",
    "description",
  );
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element && !element.closest("script, style, svg")) check(element, node.nodeValue ?? "", "text");
  }
  for (const element of document.querySelectorAll("body, body *"))
    for (const name of ["aria-label", "alt", "title", "placeholder"]) {
      const text = element.getAttribute(name);
      // The language switch is labelled in the other language.
      if (text && !element.hasAttribute("data-locale")) check(element, text, name);
    }
  return [...problems];
}

/** Returns the focused element and what is wrong with its focus indicator. */
export function inspectFocus(): { at: string; problem: string } {
  const element = document.activeElement;
  if (!element || element === document.body) return { at: "", problem: "" };
  const at = `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 30)}"`;
  // The outline may be on a wrapper or a sibling of the control.
  const candidates = [
    element,
    element.parentElement,
    element.parentElement?.parentElement,
    element.nextElementSibling,
    element.previousElementSibling,
  ];
  const hasOutline = candidates.some(
    (one) => one && getComputedStyle(one).outlineStyle !== "none" && Number.parseFloat(getComputedStyle(one).outlineWidth) >= 2,
  );
  if (!hasOutline) return { at, problem: `no visible focus on ${at}` };
  const rect = element.getBoundingClientRect();
  const inside = rect.bottom > 0 && rect.top < innerHeight && rect.right > 0 && rect.left < innerWidth;
  if (!inside) return { at, problem: `focus outside the view: ${at}` };
  const points = [0.5, 0.1, 0.9].flatMap((x) =>
    [0.5, 0.15, 0.85].map((y) => [rect.left + rect.width * x, rect.top + rect.height * y]),
  );
  const isReachable = points.some(([x = 0, y = 0]) => {
    const top = document.elementFromPoint(x, y);
    return top && (element.contains(top) || top.contains(element) || top.closest("label")?.contains(element));
  });
  return { at, problem: isReachable ? "" : `something lies over ${at}` };
}
