import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { compare } from "../../scripts/screenshots-compare.ts";

describe("comparing pictures", () => {
  /** A white picture with a black square of some px. */
  const draw = async (file: string, square: number, height = 60) => {
    const black = { create: { width: square, height: square, channels: 3 as const, background: "#000" } };
    const white = sharp({ create: { width: 80, height, channels: 3, background: "#fff" } });
    await white
      .composite(square ? [{ input: black, left: 5, top: 5 }] : [])
      .png()
      .toFile(file);
    return file;
  };

  it.each([
    ["accepts equal ones", 20, 60, null],
    ["accepts a few pixels, as rounding makes", 3, 60, null],
    ["reports others, and draws where", 21, 60, /^differs in 41 pixels: .*difference\.png$/],
    ["reports another height", 20, 70, /^is 80 x 70, was 80 x 60$/],
  ])("%s", async (_, square, height, expected) => {
    const folder = mkdtempSync(join(tmpdir(), "pictures-"));
    const before = await draw(join(folder, "before.png"), square === 3 ? 0 : 20);
    const after = await draw(join(folder, "after.png"), square, height);
    const result = await compare(before, after, join(folder, "difference.png"));
    if (expected === null) expect(result).toBeNull();
    else expect(result).toMatch(expected);
    expect(existsSync(join(folder, "difference.png"))).toBe(square === 21);
  });
});
