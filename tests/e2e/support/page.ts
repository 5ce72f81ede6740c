import { code } from "../../../i18n/code.ts";
import { concert } from "../../../i18n/concert.ts";
import { error } from "../../../i18n/error.ts";
import { field } from "../../../i18n/field.ts";
import { frame } from "../../../i18n/frame.ts";
import { type Form, localeOf } from "../../../i18n/locale.ts";
import { session } from "../../../i18n/session.ts";
import { state } from "../../../i18n/state.ts";
import { ui } from "../../../i18n/ui.ts";
import { test as watched } from "./test.ts";

export { expect } from "./test.ts";

function textsOf(form: Form) {
  const locale = localeOf(form);
  return {
    code: code[locale],
    concert: concert[locale],
    error: error[locale],
    field: field[locale],
    frame: frame[locale],
    session: session[locale],
    state: state[locale],
    ui: ui[locale],
  };
}

/** `test` with the visitor's form and the texts of its language. */
export const test = watched.extend<{ form: Form; t: ReturnType<typeof textsOf> }>({
  form: ["", { option: true }],
  t: async ({ form }, use) => use(textsOf(form)),
});

/** The same tests for a visitor of each language; `details` may tag them for one device. */
export function inBothLanguages(define: () => void, details: { tag?: "@phone" | "@desktop" } = {}): void {
  for (const form of ["", "/en-US"] as const) {
    test.describe(localeOf(form), details, () => {
      test.use({ form, locale: localeOf(form) });
      define();
    });
  }
}
