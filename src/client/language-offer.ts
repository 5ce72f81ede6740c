import { languageOffer } from "#i18n/language-offer.ts";
import type { Locale } from "#i18n/locale.ts";
import { add } from "#src/features/notification/store.ts";

/** Offers a page in another language, and never again on this device. Offers nothing where that could not be remembered. */
export function offerLanguage(locale: Locale): void {
  const key = "LANGUAGE_OFFERED";
  try {
    if (localStorage.getItem(key)) return;
    localStorage.setItem(key, locale);
  } catch {
    return;
  }
  const { title, accept, close } = languageOffer[locale];
  const link = document.querySelector<HTMLAnchorElement>(`a[data-locale="${locale}"]`);
  const actions = [{ label: accept, click: () => link?.click() }];
  add({ title, lang: locale, closeLabel: close, icon: "info", timeout: 0, actions });
}
