import { type Locale, localeCookie, type Prefix, splitPrefix, withPrefix } from "#i18n/locale.ts";
import { ApiError, type CallFailure, callFailedEvent, codes } from "#src/api/envelope.ts";
import { afterLcp, whenIdle } from "#src/lib/page-lifecycle.ts";
import { watchBuild } from "./build-watch.ts";
import { chooseMode, showMode, storedMode } from "./color-mode.ts";

declare global {
  interface Navigator {
    /** Network Information API; not in every browser. */
    connection?: { saveData?: boolean; effectiveType?: string };
  }
}

/** Returns whether the visitor saves data, or has a connection too slow for prefetching. */
function prefersReducedData(): boolean {
  const { saveData, effectiveType = "" } = navigator.connection ?? {};
  return saveData === true || effectiveType.endsWith("2g");
}

// Entry script of every page. Public pages stay light: stores load only on demand.

const root = document.documentElement;

/** Points a language link to the live URL, which on a shell differs from the built one. Returns the link's language. */
function updateLanguageLink({ target }: Event): Locale | null {
  const anchor = target instanceof Element ? target.closest<HTMLAnchorElement>("a[data-locale]") : null;
  if (!anchor) return null;
  const locale: Locale = anchor.dataset.locale === "en-US" ? "en-US" : "zh-CN";
  const prefix: Prefix = locale === "en-US" ? "/en-US" : "";
  anchor.href = withPrefix(prefix, splitPrefix(location.pathname).path) + location.search + location.hash;
  return locale;
}
// Before the link opens in any way: in another tab, from the menu, by dragging.
for (const type of ["pointerdown", "focusin"]) document.addEventListener(type, updateLanguageLink);
document.addEventListener("click", (event) => {
  const locale = updateLanguageLink(event);
  if (!locale || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser yet, and has no synchronous way.
  document.cookie = localeCookie(locale);
});

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-mode]") : null;
  if (button) chooseMode(button.dataset.mode);
});
showMode(storedMode());

afterLcp(() => root.removeAttribute("data-before-lcp"));

const isCounted =
  !!import.meta.env.PUBLIC_STATISTICS_SCRIPT && "statistics" in root.dataset && !root.hasAttribute("data-token");
let isSessionStarted = false;
function startSessionOnce(): void {
  if (isSessionStarted) return;
  isSessionStarted = true;
  void import("#src/features/session/store.ts").then(({ startSession }) =>
    startSession(() => void import("./on-session-ended.ts").then(({ onSessionEnded }) => onSessionEnded())),
  );
}
if (root.hasAttribute("data-token")) afterLcp(startSessionOnce);
addEventListener("storage", (event) => {
  if (event.key === "COLOR_MODE") showMode(event.newValue ?? "system");
  if (event.key !== "TOKEN") return;
  // Another tab logged in, and a member's page must not run the statistics script: only a reload removes it.
  if (event.newValue && isCounted) location.reload();
  else startSessionOnce();
});

// The script of the head has shown it.
document.querySelector("#offer button")?.addEventListener("click", () => root.removeAttribute("data-offer"));

/** Registers the service worker, and tells it that this page has become idle, and which pictures it has loaded. */
async function startWorker(): Promise<void> {
  const url = "/sw.js";
  // The page's CSP allows this one policy name, and the policy returns this one URL.
  const policy = window.trustedTypes?.createPolicy("worker", { createScriptURL: () => url });
  // Refused where storage is denied: then the site works online only.
  const registered = await navigator.serviceWorker.register(policy?.createScriptURL(url) ?? url).catch(() => null);
  if (!registered) return;
  const { active } = await navigator.serviceWorker.ready;
  const pictures = performance.getEntriesByType("resource").map(({ name }) => name);
  active?.postMessage([location.href, ...pictures.filter((name) => name.startsWith(`${location.origin}/pictures/`))]);
}

const region = document.getElementById("notifications");
if (import.meta.env.PROD) watchBuild(region);
if (prefersReducedData()) root.dataset.thrifty = "";
else if (import.meta.env.PROD && import.meta.env.PUBLIC_OFFLINE !== "false" && "serviceWorker" in navigator)
  whenIdle(() => void startWorker());
// The worker that removes itself does it too, in browsers that have one.
if (import.meta.env.PUBLIC_OFFLINE === "false")
  whenIdle(() => void import("#src/api/storage.ts").then(({ deleteSnapshots }) => deleteSnapshots()));
if (!prefersReducedData() && !HTMLScriptElement.supports?.("speculationrules"))
  void import("./prefetch.ts").then(({ prefetchOnIntent }) => prefetchOnIntent());
if (isCounted) void import("./statistics.ts").then(({ loadStatistics }) => loadStatistics());
addEventListener(callFailedEvent, (event) => {
  if (!(event instanceof CustomEvent) || !region) return;
  const failed: CallFailure = event.detail;
  const { failure, notify } = failed;
  // Without `notify` the caller shows the failure itself; only the session's end concerns every page.
  if (!notify && !(failure instanceof ApiError && failure.code === codes.sessionInvalid)) return;
  void import("./on-call-failed.ts").then(({ onCallFailed }) => onCallFailed(failed));
});
