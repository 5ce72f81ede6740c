/** Milliseconds after load; the rule of the specification. */
const first = 1000;
/** Milliseconds between two looks of an open, visible page. */
const pause = 5 * 60_000;

/** Looks for a newer build while the page is visible, and says so once, quietly: reading on is nobody's fault. */
export function watchBuild(region: HTMLElement | null): void {
  const own = document.querySelector<HTMLMetaElement>("meta[name=build]")?.content;
  let next = performance.now() + first;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function look(): Promise<void> {
    next = performance.now() + pause;
    try {
      const { code } = await (await fetch("/build.json", { cache: "no-store" })).json();
      if (code !== own) return void say();
    } catch {
      // No answer is no newer build.
    }
    wait();
  }

  async function say(): Promise<void> {
    document.removeEventListener("visibilitychange", wait);
    const { newBuild = "", reload = "" } = region?.dataset ?? {};
    const { add } = await import("../features/notification/store.ts");
    add({ title: newBuild, icon: "info", timeout: 0, actions: [{ label: reload, click: () => location.reload() }] });
  }

  function wait(): void {
    clearTimeout(timer);
    if (document.visibilityState === "visible") timer = setTimeout(look, Math.max(0, next - performance.now()));
  }
  document.addEventListener("visibilitychange", wait);
  if (document.readyState === "complete") wait();
  else
    addEventListener("load", () => {
      next = performance.now() + first;
      wait();
    });
}
