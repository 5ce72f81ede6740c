// Shows, before the first paint, the offer of the other language where the browser prefers it and nobody has chosen, and never again on this device. Crawlers see
// the page that they asked for. Nothing is offered where that could not be remembered.
const root = document.documentElement;
const key = "LANGUAGE_OFFERED";
const preferred = navigator.languages.find((language) => /^(zh|en)/i.test(language));

function isOffered(): boolean {
  try {
    if (localStorage.getItem(key)) return true;
    localStorage.setItem(key, root.lang);
    return false;
  } catch {
    return true;
  }
}

if (preferred && !root.lang.startsWith(preferred.slice(0, 2).toLowerCase()) && !document.cookie.includes("locale="))
  root.toggleAttribute("data-offer", !isOffered());
