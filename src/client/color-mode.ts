const root = document.documentElement;
const modes = ["system", "light", "dark"];

/** What the visitor chose; the device's when nothing can be stored. */
export function storedMode(): string {
  try {
    return localStorage.getItem("COLOR_MODE") ?? "system";
  } catch {
    return root.dataset.forced === undefined ? (root.dataset.theme ?? "system") : "system";
  }
}

/** Draws a mode, unless the page forces one, and marks its buttons. */
export function showMode(mode: string): void {
  if (root.dataset.forced === undefined) {
    if (mode === "light" || mode === "dark") root.dataset.theme = mode;
    else delete root.dataset.theme;
  }
  for (const button of document.querySelectorAll<HTMLElement>("[data-mode]")) {
    button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
  }
}

/** Chooses a mode for good; without one, the next in turn. */
export function chooseMode(chosen: string | undefined): void {
  const mode = chosen || (modes[(modes.indexOf(storedMode()) + 1) % modes.length] ?? "system");
  try {
    localStorage.setItem("COLOR_MODE", mode);
  } catch {}
  showMode(mode);
}

/** The page forces light or dark for its own life; it cannot force the system's. Anything else gives the choice back. */
export function forceMode(mode: string): void {
  if (mode === "light" || mode === "dark") {
    root.dataset.forced = root.dataset.theme = mode;
  } else {
    delete root.dataset.forced;
    showMode(storedMode());
  }
}
