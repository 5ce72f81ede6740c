/** Milliseconds after load, as the specification requires. */
const firstDelay = 1000;
/** Milliseconds between checks of a visible page. */
const interval = 5 * 60_000;

/** Checks for a newer build while the page is visible, and shows one notification for it. */
export function watchBuild(region: HTMLElement | null): void {
  const ownCode = document.querySelector<HTMLMetaElement>("meta[name=build]")?.content;
  let nextCheck = performance.now() + firstDelay;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function check(): Promise<void> {
    nextCheck = performance.now() + interval;
    try {
      const { code } = await (await fetch("/build.json", { cache: "no-store" })).json();
      if (code !== ownCode) return void notify();
    } catch {
      // A failed check counts as no newer build.
    }
    schedule();
  }

  async function notify(): Promise<void> {
    document.removeEventListener("visibilitychange", schedule);
    const { newBuild = "", reload = "" } = region?.dataset ?? {};
    const { add } = await import("#src/features/notification/store.ts");
    add({ title: newBuild, icon: "info", timeout: 0, actions: [{ label: reload, click: () => location.reload() }] });
  }

  function schedule(): void {
    clearTimeout(timer);
    if (document.visibilityState === "visible") timer = setTimeout(check, Math.max(0, nextCheck - performance.now()));
  }
  document.addEventListener("visibilitychange", schedule);
  if (document.readyState === "complete") schedule();
  else
    addEventListener("load", () => {
      nextCheck = performance.now() + firstDelay;
      schedule();
    });
}
