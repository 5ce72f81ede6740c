async function shown(): Promise<void> {
  const picture = document.querySelector<HTMLImageElement>("img[fetchpriority=high]");
  // One that does not come, or is not shown, is not waited for.
  await picture?.decode().catch(() => {});
  await new Promise(requestAnimationFrame);
}

/** Runs something once what is seen first stands on the screen, its great picture too: it holds up nothing that can be looked at. At once where nobody looks. */
export function afterFirstPaint(run: () => void): void {
  if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes("paint")) run();
  else
    new PerformanceObserver((_, observer) => {
      observer.disconnect();
      void shown().then(() => setTimeout(run));
    }).observe({ type: "paint", buffered: true });
}
