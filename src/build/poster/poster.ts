import { type Locale, locales } from "../../../i18n/locale.ts";
import { posterSize } from "../../lib/poster.ts";
import { motifs } from "./motifs.ts";
import type { Sheet } from "./sheets.ts";
import { sheets } from "./sheets.ts";
import { inks, random } from "./svg.ts";

/** A sheet as SVG. The same name, spec and language give the same bytes, on every machine. */
export function poster(name: string, sheet: Sheet, locale: Locale): string {
  const [width, height] = posterSize(name);
  return motifs[sheet.motif]({
    width,
    height,
    rand: random((sheet.seed ?? name) + sheet.motif),
    ink: { ...inks, ...sheet.palette },
    words: sheet.words?.[locale],
    chinese: locale === "zh-CN",
    form: sheet.form ?? 0,
  });
}

/** Every sheet in every language. */
export function drawAll(): { name: string; locale: Locale; svg: string }[] {
  return Object.entries(sheets).flatMap(([name, sheet]) =>
    locales.map((locale) => ({ name, locale, svg: poster(name, sheet, locale) })),
  );
}
