// Run inside the page, sent as text: what a careful eye would see. Each answers problems as sentences.

/** Text or controls outside the view, cut off, or on top of each other; text on text too. */
export function misplaced(): string[] {
  const problems = new Set<string>();
  const view = document.documentElement.clientWidth;
  const named = (element: Element) => {
    const words = (element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 30);
    return `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${words}"`;
  };
  const pathOf = (element: Element) => {
    const path: Element[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) path.push(at);
    return path;
  };
  /** Decoration, what only screen readers get, and what is closed or hidden is not looked at. */
  const unseen = (element: Element) =>
    !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
    element.closest(".vh, [aria-hidden=true], .skip, svg, script, style, template") !== null;
  const scrolls = (element: Element) => pathOf(element).some((one) => /auto|scroll/.test(getComputedStyle(one).overflowX));

  if (document.documentElement.scrollWidth > view)
    problems.add(`the page scrolls sideways: ${document.documentElement.scrollWidth} in ${view}`);

  const lines: { element: Element; rect: DOMRect }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || !node.nodeValue?.trim() || unseen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const path = pathOf(element);
    const floats = path.some((one) => /fixed|sticky/.test(getComputedStyle(one).position));
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || scrolls(element)) continue;
      if (!floats) lines.push({ element, rect });
      if (rect.right > view + 1 || rect.left < -1) problems.add(`outside the view: ${named(element)}`);
      for (const box of path) {
        const { overflowX, overflowY } = getComputedStyle(box);
        if (box === document.body || box === document.documentElement) break;
        const frame = box.getBoundingClientRect();
        const cutX = overflowX !== "visible" && (rect.right > frame.right + 1 || rect.left < frame.left - 1);
        // Line boxes are higher than letters.
        const spare = rect.height * 0.25;
        const cutY = overflowY !== "visible" && (rect.bottom - spare > frame.bottom || rect.top + spare < frame.top);
        if (cutX || cutY)
          problems.add(`cut off by ${box.tagName.toLowerCase()}.${box.getAttribute("class") ?? ""}: ${named(element)}`);
      }
    }
  }

  lines.forEach(({ element, rect }, place) => {
    for (const other of lines.slice(place + 1)) {
      // Line boxes are higher than letters, and those of large letters overlap by design.
      const spare = Math.max(rect.height, other.rect.height) * 0.3;
      const wide = Math.min(rect.right, other.rect.right) - Math.max(rect.left, other.rect.left);
      const high = Math.min(rect.bottom, other.rect.bottom) - Math.max(rect.top, other.rect.top);
      if (wide > 2 && high > spare) problems.add(`text on text: ${named(element)} and ${named(other.element)}`);
    }
  });

  const controls = [
    ...document.querySelectorAll("a[href], button, select, textarea, summary, input:not([type=radio], [type=checkbox])"),
  ]
    .filter(
      (element) => !unseen(element) && !pathOf(element).some((one) => /fixed|sticky/.test(getComputedStyle(one).position)),
    )
    .map((element) => ({ element, rects: [...element.getClientRects()] }));
  controls.forEach(({ element, rects }, place) => {
    for (const other of controls.slice(place + 1)) {
      if (element.contains(other.element) || other.element.contains(element)) continue;
      const over = rects.some((one) =>
        other.rects.some(
          (two) =>
            Math.min(one.right, two.right) - Math.max(one.left, two.left) > 2 &&
            Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 2,
        ),
      );
      if (over) problems.add(`on top of each other: ${named(element)} and ${named(other.element)}`);
    }
  });
  return [...problems];
}

/** Words in a language that their element does not say it is in. Names of pieces on /user/ui and of artists are no sentences. */
export function wrongLanguage(): string[] {
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
      // What the language switch is called is for those who read the other one.
      if (text && !element.hasAttribute("data-locale")) check(element, text, name);
    }
  return [...problems];
}

/** What the focus is on, and what is wrong with how it shows. */
export function focusSeen(): { at: string; problem: string } {
  const element = document.activeElement;
  if (!element || element === document.body) return { at: "", problem: "" };
  const at = `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 30)}"`;
  // A control may be drawn by the box around it, or by what follows it.
  const drawn = [
    element,
    element.parentElement,
    element.parentElement?.parentElement,
    element.nextElementSibling,
    element.previousElementSibling,
  ];
  const shows = drawn.some(
    (one) => one && getComputedStyle(one).outlineStyle !== "none" && Number.parseFloat(getComputedStyle(one).outlineWidth) >= 2,
  );
  if (!shows) return { at, problem: `no visible focus on ${at}` };
  const rect = element.getBoundingClientRect();
  const inside = rect.bottom > 0 && rect.top < innerHeight && rect.right > 0 && rect.left < innerWidth;
  if (!inside) return { at, problem: `focus outside the view: ${at}` };
  const points = [0.5, 0.1, 0.9].flatMap((x) =>
    [0.5, 0.15, 0.85].map((y) => [rect.left + rect.width * x, rect.top + rect.height * y]),
  );
  const found = points.some(([x = 0, y = 0]) => {
    const top = document.elementFromPoint(x, y);
    return top && (element.contains(top) || top.contains(element) || top.closest("label")?.contains(element));
  });
  return { at, problem: found ? "" : `something lies over ${at}` };
}
