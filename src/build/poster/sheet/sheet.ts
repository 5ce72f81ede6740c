import type { Locale } from "../../../../i18n/locale.ts";
import type { Inks } from "../ink.ts";
import type { MotifName } from "../motifs.ts";
import type { Words } from "../svg.ts";

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
