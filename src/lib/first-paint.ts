/** Milliseconds. */
const latest = 3_000;

async function painted(): Promise<void> {
  // A hidden page paints nothing.
  if (document.hidden) return;
  const picture = document.querySelector<HTMLImageElement>("img[fetchpriority=high]");
  await picture?.decode().catch(() => {});
  await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve));
}

/** Runs `callback` after the LCP image has painted, at most 3 s later. */
export function afterFirstPaint(callback: () => void): void {
  const late = new Promise((resolve) => setTimeout(resolve, latest));
  void Promise.race([painted(), late]).then(callback);
}
