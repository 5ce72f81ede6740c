const root = document.documentElement;
const modes = ["system", "light", "dark"];

/** Returns the stored mode, "system" by default; where storage is denied, the mode on the page, unless the page forces it. */
export function storedMode(): string {
  try {
    return localStorage.getItem("COLOR_MODE") ?? "system";
  } catch {
    return root.dataset.forced === undefined ? (root.dataset.theme ?? "system") : "system";
  }
}

/** Applies a mode, unless the page forces one, and marks its buttons. */
export function showMode(mode: string): void {
  if (root.dataset.forced === undefined) {
    if (mode === "light" || mode === "dark") root.dataset.theme = mode;
    else delete root.dataset.theme;
  }
  for (const button of document.querySelectorAll<HTMLElement>("[data-mode]")) {
    button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
  }
}

/** Stores and applies a mode; without one, the next in turn. */
export function chooseMode(chosen: string | undefined): void {
  const mode = chosen || (modes[(modes.indexOf(storedMode()) + 1) % modes.length] ?? "system");
  try {
    localStorage.setItem("COLOR_MODE", mode);
  } catch {}
  showMode(mode);
}

/** Forces light or dark until the page is left; any other value restores the visitor's choice. */
export function forceMode(mode: string): void {
  if (mode === "light" || mode === "dark") {
    root.dataset.forced = root.dataset.theme = mode;
  } else {
    delete root.dataset.forced;
    showMode(storedMode());
  }
}
