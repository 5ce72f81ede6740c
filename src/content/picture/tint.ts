import { type Color, differenceEuclidean, nearest } from "culori";
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

// The eye minds a hue more than a lightness.
const findNearest = nearest(Object.keys(tints), differenceEuclidean("oklab", [1, 4, 4, 0]), (name) => tints[name] ?? "");

/** Returns the tint nearest to a colour, as the eye sees it. */
export const toNearestTint = (color: Color | string): string => findNearest(color)[0] ?? "g0";

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
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((sum) => sum / count / 255);
  return toNearestTint({ mode: "rgb", r, g, b });
}
