/** Runs something once the page stands on the screen for the first time, so that it holds up nothing that can be read already; at once where nobody looks. */
export function afterFirstPaint(run: () => void): void {
  if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes("paint")) return run();
  new PerformanceObserver((_, observer) => {
    observer.disconnect();
    run();
  }).observe({ type: "paint", buffered: true });
}
