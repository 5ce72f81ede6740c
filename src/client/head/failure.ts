/** Errors that somebody handles: aborted requests, and those of calls. */
const handledErrors = ["AbortError", "ApiError", "CallNetworkError"];

function isOwnError(error: unknown): boolean {
  return !!error && !(error instanceof Error && handledErrors.includes(error.name));
}

/** Shows the page's notice with its reload button. */
function showFailure(error: unknown): void {
  const notice = document.getElementById("failure");
  if (!notice) {
    document.addEventListener("DOMContentLoaded", () => showFailure(error), { once: true });
    return;
  }
  notice.hidden = false;
  notice.querySelector("button")?.addEventListener("click", () => location.reload());
  if (!import.meta.env.DEV) return;
  const stack = notice.querySelector("pre");
  if (stack) stack.textContent = error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Reloads a page of an older build, whose chunks are gone, at most once per path in 10 s; otherwise shows the
 * notice.
 */
async function recover(error: unknown): Promise<void> {
  const key = `RELOADED ${location.pathname}`;
  try {
    const { code } = await (await fetch("/build.json", { cache: "no-store" })).json();
    const isOlder = code !== document.querySelector<HTMLMetaElement>("meta[name=build]")?.content;
    const last = Number(sessionStorage.getItem(key));
    sessionStorage.setItem(key, String(Date.now()));
    if (isOlder && Date.now() - last > 10_000) return location.reload();
  } catch {}
  showFailure(error);
}

addEventListener(
  "error",
  (event) => {
    const { target } = event;
    if (target instanceof HTMLScriptElement) {
      if (target.src.startsWith(location.origin)) void recover(target.src);
    } else if (event.filename?.startsWith(location.origin) && isOwnError(event.error)) showFailure(event.error);
  },
  true,
);
addEventListener("unhandledrejection", (event) => {
  const { reason } = event;
  // The browser has skipped a view transition.
  if (reason instanceof DOMException && /transition/i.test(reason.message)) event.preventDefault();
  else if (isOwnError(reason)) showFailure(reason);
});
addEventListener("vite:preloadError", ({ payload }) => void recover(payload));
addEventListener("astro:hydration-error", (event) => {
  event.preventDefault();
  void recover(event.detail.error);
});

declare global {
  interface WindowEventMap {
    "astro:hydration-error": CustomEvent<{ error: unknown }>;
    "vite:preloadError": Event & { payload: unknown };
  }
}
