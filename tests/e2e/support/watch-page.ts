declare global {
  interface Window {
    reportProblem?: (problem: string) => void;
    flushProblems?: () => void;
  }
  interface PerformanceEntry {
    /** Only of layout shifts. */
    value?: number;
    hadRecentInput?: boolean;
    sources?: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
  }
}

/** Runs in every page before its own scripts and reports policy violations and layout shifts. It is serialized as text, so it uses nothing from outside. */
export function watchPage(): void {
  const report = (problem: string) => window.reportProblem?.(`${problem} on ${location.pathname}`);
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample, sourceFile, lineNumber }) => {
    report(`policy: ${violatedDirective} blocked ${blockedURI || sample} (${sourceFile}:${lineNumber})`);
  });
  // The browser ignores shifts within 500 ms of input. A response may take longer and then push the footer.
  let pressedAt = Number.NEGATIVE_INFINITY;
  for (const type of ["pointerdown", "keydown"])
    document.addEventListener(type, ({ timeStamp }) => (pressedAt = timeStamp), { capture: true });
  const toElement = (node: Node | null) => (node instanceof Element ? node : node?.parentElement);
  const formatRect = (rect: DOMRect) => [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(",");
  const reportShifts = (entries: PerformanceEntry[]) => {
    for (const { value = 0, hadRecentInput, sources = [], startTime } of entries) {
      if (hadRecentInput || value < 0.001) continue;
      if (startTime - pressedAt < 5_000 && sources.every(({ node }) => toElement(node)?.closest("footer"))) continue;
      const moved = sources.map(({ node, previousRect, currentRect }) => {
        const element = toElement(node);
        return `${element?.tagName.toLowerCase()}.${element?.className} ${formatRect(previousRect)} -> ${formatRect(currentRect)}`;
      });
      report(`layout shift ${value.toFixed(4)}: ${moved.join("; ")}`);
    }
  };
  const observer = new PerformanceObserver((list) => reportShifts(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  window.flushProblems = () => reportShifts(observer.takeRecords());
}
