import { splitPrefix } from "#i18n/locale.ts";
import type { User } from "#src/api/session.ts";
import { read } from "#src/api/tab-storage.ts";
import { getInitial } from "#src/lib/initial.ts";
import { clearForeignName } from "./foreign-name.ts";

const root = document.documentElement;

function readUser(): Partial<User> {
  try {
    return JSON.parse(read("USER_INFO") ?? "null") ?? {};
  } catch {
    return {};
  }
}

/** Marks the page for a member, with the initial of the name, and returns the session's token. */
function markSession(): string {
  const token = read("TOKEN") ?? "";
  const { id, nickname = "", activated } = readUser();
  root.toggleAttribute("data-token", !!token);
  root.toggleAttribute("data-member", !!(token && id));
  root.toggleAttribute("data-inactive", activated === false);
  root.style.setProperty("--me", `"${getInitial(nickname)}"`);
  return token;
}

/** Opens the login, which leads back, on a page that needs a session. */
function requireSession(token: string): boolean {
  const login = root.dataset.session;
  if (token || login === undefined) return false;
  const redirect = splitPrefix(location.pathname).path + location.search;
  location.replace(`${login}?redirect=${encodeURIComponent(redirect)}`);
  return true;
}

clearForeignName(false);
const token = markSession();
root.hidden = requireSession(token);

// A page restored from the back/forward cache reloads if the session has changed.
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  clearForeignName(true);
  const current = markSession();
  const isLeaving = requireSession(current);
  root.hidden = isLeaving || current !== token;
  if (root.hidden && !isLeaving) location.reload();
});
