import { concert } from "../../../i18n/concert.ts";
import { frame } from "../../../i18n/frame.ts";
import { getLocale, type Prefix } from "../../../i18n/locale.ts";
import { error } from "../../../i18n/page.ts";
import { field, responseCode } from "../../../i18n/response-code.ts";
import { session } from "../../../i18n/session.ts";
import { state } from "../../../i18n/state.ts";
import { ui } from "../../../i18n/ui.ts";
import { test as watched } from "./test.ts";

export { expect } from "./test.ts";

function getTexts(prefix: Prefix) {
  const locale = getLocale(prefix);
  return {
    code: responseCode[locale],
    concert: concert[locale],
    error: error[locale],
    field: field[locale],
    frame: frame[locale],
    session: session[locale],
    state: state[locale],
    ui: ui[locale],
  };
}

/** `test` with the locale prefix and the texts of its language. */
export const test = watched.extend<{ prefix: Prefix; t: ReturnType<typeof getTexts> }>({
  prefix: ["", { option: true }],
  t: async ({ prefix }, use) => use(getTexts(prefix)),
});

/** Defines the same tests for each language, the second one tagged `@full`; `details` may tag them for one device. */
export function inBothLanguages(define: () => void, { tag }: { tag?: "@phone" | "@desktop" } = {}): void {
  for (const prefix of ["", "/en-US"] as const) {
    const tags = [...(tag ? [tag] : []), ...(prefix ? ["@full"] : [])];
    test.describe(getLocale(prefix), { tag: tags }, () => {
      test.use({ prefix, locale: getLocale(prefix) });
      define();
    });
  }
}
