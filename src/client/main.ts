import { type Locale, localeCookie, type Prefix, splitPrefix, withPrefix } from "../../i18n/locale.ts";
import { codes } from "../api/envelope.ts";
import { ApiError, type CallFailure, callFailedEvent } from "../api/errors.ts";
import type { FailureTexts } from "../features/notification/on-call-failed.ts";
import { afterFirstPaint } from "../lib/first-paint.ts";
import { watchBuild } from "./build-watch.ts";
import { chooseMode, showMode, storedMode } from "./color-mode.ts";
import { prefersReducedData } from "./save-data.ts";

// What every page does. Readers' pages stay light: whatever needs a store comes only when it is needed.

const root = document.documentElement;

/** The language switch leads to the other prefix of the live URL, which on a shell is not the one it was built for. Answers its language. */
function aimSwitch({ target }: Event): Locale | null {
  const anchor = target instanceof Element ? target.closest<HTMLAnchorElement>("a[data-locale]") : null;
  if (!anchor) return null;
  const locale: Locale = anchor.dataset.locale === "en-US" ? "en-US" : "zh-CN";
  const prefix: Prefix = locale === "en-US" ? "/en-US" : "";
  anchor.href = withPrefix(prefix, splitPrefix(location.pathname).path) + location.search + location.hash;
  return locale;
}
// Before it is opened in whatever way: in another tab, from the menu, by dragging.
for (const type of ["pointerdown", "focusin"]) document.addEventListener(type, aimSwitch);
document.addEventListener("click", (event) => {
  const locale = aimSwitch(event);
  if (!locale || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser yet, and has no synchronous way.
  document.cookie = localeCookie(locale);
});

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-mode]") : null;
  if (button) chooseMode(button.dataset.mode);
});
showMode(storedMode());

async function startSession(): Promise<void> {
  (await import("../features/session/start-session.ts")).startSession();
}
const isCounted =
  !!import.meta.env.PUBLIC_STATISTICS_SCRIPT && "statistics" in root.dataset && !root.hasAttribute("data-token");
let started = false;
function followSession(): void {
  if (started) return;
  started = true;
  void startSession();
}
if (root.hasAttribute("data-token")) afterFirstPaint(followSession);
addEventListener("storage", (event) => {
  if (event.key === "COLOR_MODE") showMode(event.newValue ?? "system");
  if (event.key !== "TOKEN") return;
  // A script that has run cannot be taken out of a page, which a member's session has come to by another tab.
  if (event.newValue && isCounted) location.reload();
  else followSession();
});

const region = document.getElementById("notifications");
if (import.meta.env.PROD) watchBuild(region);
if (prefersReducedData()) root.dataset.thrifty = "";
else if (!HTMLScriptElement.supports?.("speculationrules"))
  void import("./prefetch.ts").then(({ prefetchOnIntent }) => prefetchOnIntent());
if (isCounted) void import("./statistics.ts").then(({ loadStatistics }) => loadStatistics());
addEventListener(callFailedEvent, (event) => {
  if (!(event instanceof CustomEvent) || !region) return;
  const failed: CallFailure = event.detail;
  const { failure, notify } = failed;
  // Whoever asked quietly draws it; only the session's end is everybody's.
  if (!notify && !(failure instanceof ApiError && failure.code === codes.sessionInvalid)) return;
  const texts: FailureTexts = JSON.parse(region.dataset.failures ?? "{}");
  void import("../features/notification/on-call-failed.ts").then(({ listenForFailures }) => listenForFailures(failed, texts));
});
