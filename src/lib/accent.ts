type Color = readonly [red: number, green: number, blue: number];

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

const white: Color = [255, 255, 255];
const black: Color = [0, 0, 0];
/** The grounds on which text in the accent has the least contrast. */
const sunken: Record<keyof Accent, Color> = { light: [0xe7, 0xeb, 0xef], dark: [0x24, 0x2d, 0x36] };

function parseHex(hex: string): Color {
  const [, digits = "000000"] = /^#([0-9a-f]{6})$/i.exec(hex.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3")) ?? [];
  const value = Number.parseInt(digits, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function formatHex(color: Color): string {
  const digits = color.map((part) => part.toString(16).padStart(2, "0")).join("");
  return `#${digits.replace(/^(.)\1(.)\2(.)\3$/, "$1$2$3")}`;
}

/** Mixes `share` (0 to 1) of another colour into a colour. */
function mix([red, green, blue]: Color, other: Color, share: number): Color {
  const blend = (part: number, otherPart: number) => Math.round(part + (otherPart - part) * share);
  return [blend(red, other[0]), blend(green, other[1]), blend(blue, other[2])];
}

function getLuminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const linear = part / 255;
    return linear <= 0.04045 ? linear / 12.92 : ((linear + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(first: Color, second: Color): number {
  const [low = 0, high = 0] = [getLuminance(first), getLuminance(second)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Returns the contrast of two hex colours by the WCAG formula, 1 to 21. */
export function getContrast(first: string, second: string): number {
  return contrast(parseHex(first), parseHex(second));
}

/** Mixes `other` into a colour: `share` of it, and more until the contrast with each of `against` is enough. */
function mixUntil(color: Color, other: Color, share: number, against: readonly Color[], enough = textContrast): Color {
  for (let part = share; part < 1; part += 0.02) {
    const mixed = mix(color, other, part);
    if (against.every((ground) => contrast(mixed, ground) >= enough)) return mixed;
  }
  return other;
}

/** Returns the nearest shade of a colour that is readable as text on the ground of a mode, as six digits. */
export function toReadable(hex: string, mode: keyof Accent): string {
  const other = mode === "light" ? black : white;
  return `#${mixUntil(parseHex(hex), other, 0, [parseHex(grounds[mode])])
    .map((part) => part.toString(16).padStart(2, "0"))
    .join("")}`;
}

/** Returns the hue of a colour in degrees; NaN for a grey. */
function getHue([red, green, blue]: Color): number {
  return ((Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI + 360) % 360;
}

/** The hues between which an accent would be taken for a warning, in degrees. */
const amber = [22, 62] as const;
/** Warnings of a shop whose own colour is amber: yellow ones. */
const yellowWarnings: Record<keyof Accent, Record<string, Color>> = {
  light: { warn: [0x66, 0x5a, 0], "warn-wash": [0xf7, 0xf0, 0xa8] },
  dark: { warn: [0xf0, 0xe4, 0x4a], "warn-wash": [0x2a, 0x2a, 0x06] },
};
const getWarnings = (accent: Color, mode: keyof Accent) =>
  getHue(accent) > amber[0] && getHue(accent) < amber[1] ? yellowWarnings[mode] : {};

/** Returns the colours of both modes that follow from a shop's, and those of surfaces that are always dark or light. */
function toTokens({ light, dark }: Accent): Record<"both" | "light" | "dark", Record<string, Color>> {
  const enamel = parseHex(light);
  const lit = parseHex(dark);
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

const formatTokens = (tokens: Record<string, Color>) =>
  Object.entries(tokens)
    .map(([name, color]) => `--${name}:${formatHex(color)};`)
    .join("");

/** Thousands of pages have the same. */
const accentRules = new Map<string, string>();

/** Returns the rules that set a shop's colours: for the device's mode, and for `data-theme` on any element. */
export function toAccentRules(accent: Accent): string {
  const key = `${accent.light} ${accent.dark}`;
  const rules = accentRules.get(key) ?? makeAccentRules(accent);
  accentRules.set(key, rules);
  return rules;
}

function makeAccentRules(accent: Accent): string {
  const { both, light, dark } = toTokens(accent);
  return [
    `:root{${formatTokens({ ...both, ...light })}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${formatTokens(dark)}}}`,
    `[data-theme=dark]{${formatTokens(dark)}}`,
  ].join("");
}

const ink: Color = [0x0c, 0x11, 0x16];

/** Returns whether light text reads better on a ground than dark text. */
export function isDarkGround(hex: string): boolean {
  return contrast(white, parseHex(hex)) > contrast(ink, parseHex(hex));
}

/**
 * Returns the rule that sets the ground of a campaign: its colour, the readable one on it, and those of the night and of its
 * form. A dark colour is their ground too, darker; a light one is that of the letters at night, on the shop's sign. Without a
 * colour, the ground is the stage, and its form the door: the shop's sign.
 */
export function toGroundRule(selector: string, hex: string | undefined): string {
  if (!hex)
    return `${selector}{--ground:light-dark(#0c1210,#171d23);--ground-night:#171d23;--ground-slab:var(--sign);--on-ground:#fff;--ground-pale:#fff;}`;
  const ground = parseHex(hex);
  const colors: Record<string, Color> = isDarkGround(hex)
    ? {
        "on-ground": white,
        "ground-form": mixUntil(ground, black, 0.16, [white], 7),
        "ground-night": mixUntil(ground, black, 0.4, [white], 9),
        "ground-pale": white,
      }
    : { "on-ground": ink, "ground-pale": mixUntil(ground, white, 0.4, [black], 7) };
  return `${selector}{${formatTokens({ ground, ...colors })}}`;
}
