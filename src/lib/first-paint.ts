/** How long what is seen first is waited for, in ms. */
const latest = 3_000;

async function shown(): Promise<void> {
  // Where nobody looks nothing is painted.
  if (document.hidden) return;
  const picture = document.querySelector<HTMLImageElement>("img[fetchpriority=high]");
  await picture?.decode().catch(() => {});
  await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve));
}

/** Runs something once what is seen first stands on the screen, its great picture too: it holds up nothing that can be looked at. After 3 s at the latest. */
export function afterFirstPaint(run: () => void): void {
  const late = new Promise((resolve) => setTimeout(resolve, latest));
  void Promise.race([shown(), late]).then(run);
}
