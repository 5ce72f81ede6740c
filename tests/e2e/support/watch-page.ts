declare global {
  interface Window {
    reportProblem?: (problem: string) => void;
    flushProblems?: () => void;
  }
  interface PerformanceEntry {
    /** Of layout shifts. */
    value?: number;
    hadRecentInput?: boolean;
    sources?: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
  }
}

/** Runs in every page before its own scripts: reports what only the page itself can see. It is sent as text, so it uses nothing from outside. */
export function watchPage(): void {
  const report = (problem: string) => window.reportProblem?.(`${problem} on ${location.pathname}`);
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample, sourceFile, lineNumber }) => {
    report(`policy: ${violatedDirective} blocked ${blockedURI || sample} (${sourceFile}:${lineNumber})`);
  });
  // The browser forgives what moves within half a second of a press. Its answer may take longer, and pushes the footer.
  let pressedAt = Number.NEGATIVE_INFINITY;
  for (const type of ["pointerdown", "keydown"])
    document.addEventListener(type, ({ timeStamp }) => (pressedAt = timeStamp), { capture: true });
  const elementOf = (node: Node | null) => (node instanceof Element ? node : node?.parentElement);
  const place = (rect: DOMRect) => [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(",");
  const see = (entries: PerformanceEntry[]) => {
    for (const { value = 0, hadRecentInput, sources = [], startTime } of entries) {
      if (hadRecentInput || value < 0.001) continue;
      if (startTime - pressedAt < 5_000 && sources.every(({ node }) => elementOf(node)?.closest("footer"))) continue;
      const moved = sources.map(({ node, previousRect, currentRect }) => {
        const element = elementOf(node);
        return `${element?.tagName.toLowerCase()}.${element?.className} ${place(previousRect)} -> ${place(currentRect)}`;
      });
      report(`layout shift ${value.toFixed(4)}: ${moved.join("; ")}`);
    }
  };
  const observer = new PerformanceObserver((list) => see(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  window.flushProblems = () => see(observer.takeRecords());
}
