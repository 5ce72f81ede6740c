/** Errors that somebody handles: aborted requests, and those of calls. */
const handledErrors = ["AbortError", "ApiError", "CallNetworkError"];

/** Where our modules are. What an inline script throws has the address of the page, as has what others inject: neither counts. */
const ownScripts = `${location.origin}${import.meta.env.DEV ? "/" : "/_astro/"}`;

/** Returns the address of the script that threw an error: the first one in its stack, behind the message, which may hold one. */
function getScript({ stack = "", message }: Error): string | undefined {
  return /[\w-]+:\/\/[^\s)]+/.exec(stack.replace(message, ""))?.[0];
}

/** Whether an error was thrown by one of our modules; `script`: where the browser found it, for one without a stack, as of syntax. */
function isOwnError(error: unknown, script = ""): error is Error {
  if (!(error instanceof Error) || handledErrors.includes(error.name)) return false;
  return (getScript(error) ?? script).startsWith(ownScripts);
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
      if (target.src.startsWith(ownScripts)) void recover(target.src);
    } else if (isOwnError(event.error, event.filename)) showFailure(event.error);
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
