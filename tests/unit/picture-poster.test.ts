import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { getGlyph } from "../../src/build/picture/poster/fonts.ts";
import { drawPoster } from "../../src/build/picture/poster/poster.ts";
import { describePoster } from "../../src/content/picture/poster.ts";
import type { PosterSpec } from "../../src/content/picture/record.ts";
import { readSvg } from "../../src/content/picture/svg.ts";

const draw = async (spec: PosterSpec) => drawPoster(spec, await describePoster(spec));
const event: PosterSpec = {
  kind: "event",
  id: "lantern",
  title: "灯市夜",
  date: "2027-03-20",
  by: "文岚 / 河岸四重奏",
  location: "成都 东郊仓库",
  locale: "zh-CN",
};

describe("the poster of an entry without a cover", () => {
  it.each(["event", "news", "goods", "package", "campaign"] as const)(
    "is a small SVG of outlines for every %s",
    async (kind) => {
      for (const id of ["lantern", "tide", "paper", "snow", "river", "wall", "late"]) {
        const spec = { ...event, kind, id };
        const { width, height } = await describePoster(spec);
        const svg = await draw(spec);
        expect(readSvg(svg), id).toEqual({ width, height, embedded: [] });
        expect(svg, id).not.toMatch(/NaN|undefined|Infinity|null|<(text|style|image)/);
        expect(svg.length, id).toBeLessThan(14 * 1024);
      }
    },
  );

  it("has the same bytes on every machine", async () => {
    const svgs = await Promise.all([event, { ...event, title: "Lantern Night", locale: "en-US" as const }].map(draw));
    expect(svgs.map((svg) => createHash("sha256").update(svg).digest("hex").slice(0, 16))).toMatchInlineSnapshot(`
      [
        "2269b05ebcbc7b3a",
        "f48be5b4a426bf00",
      ]
    `);
  });

  it.each([
    ["emoji", "🎷 爵士夜 👨‍👩‍👧‍👦🇨🇳"],
    ["a rare character", "𠮷田兄弟"],
    ["3,000 characters", "永远的".repeat(1000)],
    ["3,000 letters without a space", "a".repeat(3000)],
    ["a long word", "Donaudampfschifffahrtsgesellschaftskapitän"],
    ["a script that runs to the left", "مساء الموسيقى في المدينة"],
    ["markup", "<script>alert(1)</script>&amp;\"'"],
    ["control characters", "a\u0000b\n\n\u202ec"],
    ["nothing", ""],
  ])("holds %s", async (_, title) => {
    for (const kind of ["event", "news", "goods", "package", "campaign"] as const) {
      const svg = await draw({ ...event, kind, title });
      expect(readSvg(svg).embedded).toEqual([]);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      expect(svg.length).toBeLessThan(64 * 1024);
    }
  });
});

describe("a character", () => {
  it.each([
    ["Chinese", "春"],
    ["Latin", "Ö"],
    ["Cyrillic", "Ж"],
    ["Japanese", "の"],
    ["a mark on a letter", "é".normalize("NFD")],
  ])("is drawn from a font: %s", async (_, character) => {
    for (const face of ["serif", "sans", "wide", "print"] as const)
      expect(await getGlyph(face, character, true)).not.toHaveProperty("isPlate");
  });

  it.each(["🎷", "𠮷", "م", "서", "🇨🇳", "\ufffe"])("that no font has is a plate: %s", async (character) => {
    for (const face of ["serif", "print"] as const)
      expect(await getGlyph(face, character, true)).toMatchObject({ isPlate: true, outline: { length: 5 } });
  });

  it("of Chinese punctuation stands in its square only in Chinese", async () => {
    expect((await getGlyph("serif", "“", true)).width).toBeGreaterThan(400);
    expect((await getGlyph("serif", "“", false)).width).toBeLessThan(400);
  });
});
