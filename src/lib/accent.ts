import { formatHex, hsl, interpolate, wcagContrast } from "culori";
import memoize from "memoize";

/** A shop's colour as hex, on light and on dark ground. */
export interface Accent {
  light: string;
  dark: string;
}

/** The grounds of text in both modes, as in `tailwind.config.mjs`. */
export const grounds: Accent = { light: "#f3f5f7", dark: "#0a0d10" };

/** WCAG's minimum for text, and for graphics. */
const textContrast = 4.5;
const graphicContrast = 3;

const white = "#ffffff";
const black = "#000000";
/** The grounds on which text in the accent has the least contrast. */
const sunken: Accent = { light: "#e7ebef", dark: "#242d36" };

/** Mixes `share` (0 to 1) of another colour into a colour. */
const mix = (color: string, other: string, share: number) => formatHex(interpolate([color, other])(share));

/** Returns the contrast of two hex colours by the WCAG formula, 1 to 21. */
export const getContrast = (first: string, second: string): number => wcagContrast(first, second);

/** Mixes `other` into a colour: `share` of it, and more until the contrast with each of `against` is enough. */
function mixUntil(color: string, other: string, share: number, against: readonly string[], enough = textContrast): string {
  for (let part = share; part < 1; part += 0.02) {
    const mixed = mix(color, other, part);
    if (against.every((ground) => getContrast(mixed, ground) >= enough)) return mixed;
  }
  return other;
}

/** Returns the nearest shade of a colour that is readable as text on the ground of a mode, as six digits. */
export function toReadable(hex: string, mode: keyof Accent): string {
  return mixUntil(hex, mode === "light" ? black : white, 0, [grounds[mode]]);
}

/** The hues between which an accent would be taken for a warning, in degrees. */
const amber = [22, 62] as const;
/** Warnings of a shop whose own colour is amber: yellow ones. */
const yellowWarnings: Record<keyof Accent, Record<string, string>> = {
  light: { warn: "#665a00", "warn-wash": "#f7f0a8" },
  dark: { warn: "#f0e44a", "warn-wash": "#2a2a06" },
};

function getWarnings(accent: string, mode: keyof Accent): Record<string, string> {
  // A grey has no hue.
  const hue = hsl(accent)?.h ?? 0;
  return hue > amber[0] && hue < amber[1] ? yellowWarnings[mode] : {};
}

/** Returns the colours of both modes that follow from a shop's, and those of surfaces that are always dark or light. */
export function toTokens({ light: enamel, dark: lit }: Accent): Record<"both" | "light" | "dark", Record<string, string>> {
  const wash = mix(enamel, white, 0.85);
  const darkWash = mix(lit, black, 0.81);
  const onLit = mixUntil(lit, black, 0.91, [lit]);
  const darkSign = mixUntil(lit, black, 0.83, [lit]);
  return {
    both: {
      enamel,
      "enamel-hover": mix(enamel, black, 0.14),
      "enamel-deep": mix(enamel, black, 0.5),
      lit,
      "lit-hover": mix(lit, white, 0.23),
      "lit-pale": mix(lit, white, 0.6),
      "on-lit": onLit,
    },
    light: {
      accent: enamel,
      "accent-hover": mix(enamel, black, 0.14),
      "on-accent": white,
      "accent-ink": mixUntil(enamel, black, 0.08, [wash, sunken.light]),
      wash,
      sign: enamel,
      "on-sign": white,
      "sign-2": mixUntil(lit, white, 0.6, [enamel], graphicContrast),
      "sign-line": mix(enamel, white, 0.18),
      ...getWarnings(enamel, "light"),
    },
    dark: {
      accent: lit,
      "accent-hover": mix(lit, white, 0.23),
      "on-accent": onLit,
      "accent-ink": mixUntil(lit, white, 0, [darkWash, sunken.dark]),
      wash: darkWash,
      sign: darkSign,
      "on-sign": lit,
      "sign-2": lit,
      "sign-line": mix(lit, black, 0.62),
      ...getWarnings(lit, "dark"),
    },
  };
}

const shorten = (hex: string) => hex.toLowerCase().replace(/^#(.)\1(.)\2(.)\3$/, "#$1$2$3");
const formatTokens = (tokens: Record<string, string>) =>
  Object.entries(tokens)
    .map(([name, color]) => `--${name}:${shorten(color)};`)
    .join("");

/** Returns the rules that set a shop's colours: for the device's mode, and for `data-theme` on any element. Thousands of pages have the same. */
export const toAccentRules = memoize(
  (accent: Accent): string => {
    const { both, light, dark } = toTokens(accent);
    return [
      `:root{${formatTokens({ ...both, ...light })}}`,
      `@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${formatTokens(dark)}}}`,
      `[data-theme=dark]{${formatTokens(dark)}}`,
    ].join("");
  },
  { cacheKey: ([{ light, dark }]) => `${light} ${dark}` },
);

const ink = "#0c1116";

/** Returns whether light text reads better on a ground than dark text. */
export function isDarkGround(hex: string): boolean {
  return getContrast(white, hex) > getContrast(ink, hex);
}

/**
 * Returns the rule that sets the ground of a campaign: its colour, the readable one on it, and those of the night and of its
 * form. A dark colour is their ground too, darker; a light one is that of the letters at night, on the shop's sign. Without a
 * colour, the ground is the stage, and its form the door: the shop's sign.
 */
export function toGroundRule(selector: string, hex: string | undefined): string {
  if (!hex)
    return `${selector}{--ground:light-dark(#0c1210,#171d23);--ground-night:#171d23;--ground-slab:var(--sign);--on-ground:#fff;--ground-pale:#fff;}`;
  const colors: Record<string, string> = isDarkGround(hex)
    ? {
        "on-ground": white,
        "ground-form": mixUntil(hex, black, 0.16, [white], 7),
        "ground-night": mixUntil(hex, black, 0.4, [white], 9),
        "ground-pale": white,
      }
    : { "on-ground": ink, "ground-pale": mixUntil(hex, white, 0.4, [black], 7) };
  return `${selector}{${formatTokens({ ground: hex, ...colors })}}`;
}
