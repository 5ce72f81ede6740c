import type { Sharp } from "sharp";

/** The colours behind pictures, which tailwind.config.mjs makes utilities of: dark, middle and light of eight hues, and greys. */
export const tints: Readonly<Record<string, string>> = {
  d0: "#67292b",
  d1: "#5d3501",
  d2: "#434304",
  d3: "#034d2a",
  d4: "#02494d",
  d5: "#05436c",
  d6: "#40366b",
  d7: "#5c2b52",
  m0: "#e54151",
  m1: "#bd720c",
  m2: "#8c8c0e",
  m3: "#06a05c",
  m4: "#0a999f",
  m5: "#008cdd",
  m6: "#8968f4",
  m7: "#ca4bb5",
  l0: "#ffb4b3",
  l1: "#ffbb77",
  l2: "#cfd271",
  l3: "#87e2a8",
  l4: "#54e2e9",
  l5: "#9cd1fe",
  l6: "#c9c2fe",
  l7: "#fbacea",
  g0: "#0d1012",
  g1: "#45484b",
  g2: "#83878a",
  g3: "#c1c4c8",
  g4: "#ebeff2",
};

type Color = readonly [red: number, green: number, blue: number];

/** Returns the tint nearest to a colour, as the eye sees it. */
export function toNearestTint(color: Color | string): string {
  const [lightness, a, b] = toOklab(typeof color === "string" ? parseHex(color) : color);
  let nearest = "g0";
  let least = Number.POSITIVE_INFINITY;
  for (const [name, hex] of Object.entries(tints)) {
    const [otherLightness, otherA, otherB] = toOklab(parseHex(hex));
    const distance = Math.hypot(lightness - otherLightness, 2 * (a - otherA), 2 * (b - otherB));
    if (distance < least) {
      nearest = name;
      least = distance;
    }
  }
  return nearest;
}

const side = 48;

/** Returns the tint of a picture's dominant colour, "none" when something would shine through it. Throws when it cannot be decoded. */
export async function readTint(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .resize(side, side, { fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = info.width * info.height;
  let transparent = 0;
  // The fullest of 512 cells of the colour space: a mean of many colours is grey.
  const cells = new Map<number, [count: number, red: number, green: number, blue: number]>();
  for (let at = 0; at < pixels * 4; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    if (alpha < 250) transparent++;
    const key = ((red >> 5) << 6) | ((green >> 5) << 3) | (blue >> 5);
    const cell = cells.get(key) ?? [0, 0, 0, 0];
    cells.set(key, [cell[0] + 1, cell[1] + red, cell[2] + green, cell[3] + blue]);
  }
  if (transparent > pixels / 100) return "none";
  const [count, red, green, blue] = [...cells.values()].reduce((one, other) => (other[0] > one[0] ? other : one));
  return toNearestTint([red / count, green / count, blue / count]);
}

function parseHex(hex: string): Color {
  return [Number.parseInt(hex.slice(1, 3), 16), Number.parseInt(hex.slice(3, 5), 16), Number.parseInt(hex.slice(5, 7), 16)];
}

/** Converts sRGB as https://bottosson.github.io/posts/oklab/ does. */
function toOklab(color: Color): [lightness: number, a: number, b: number] {
  const [red, green, blue] = [toLinear(color[0]), toLinear(color[1]), toLinear(color[2])];
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function toLinear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
