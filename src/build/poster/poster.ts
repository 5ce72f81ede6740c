import { type Locale, locales } from "../../../i18n/locale.ts";
import { posterSize } from "../../lib/poster.ts";
import { type Inks, inks } from "./ink.ts";
import { type MotifName, motifs } from "./motifs.ts";
import { random } from "./random.ts";
import { sheets } from "./sheets.ts";
import type { Words } from "./svg.ts";

/** One sheet of the press. */
export interface Sheet {
  motif: MotifName;
  /** Other inks than the motif's own. */
  palette?: Partial<Inks>;
  /** Which of its forms, for motifs that have several. */
  form?: number;
  /** What the chance in it hangs on; the sheet's name when not said. */
  seed?: string;
  /** Absent: drawn without type, as for a crop. */
  words?: Record<Locale, Words>;
}

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
