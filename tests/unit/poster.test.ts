import { describe, expect, it } from "vitest";
import { drawAll, poster } from "../../src/build/poster/poster.ts";
import { sheets } from "../../src/build/poster/sheets.ts";
import { measure, set } from "../../src/build/poster/type.ts";
import { fallbackPoster, pictureUrl, posterSize, posterUrl } from "../../src/lib/poster.ts";

const all = drawAll();
const titled = all.map((one) => ({ ...one, title: `${one.name} in ${one.locale}` }));
const urls = new Set(all.map(({ name, locale }) => posterUrl(name, locale)));

describe("every poster", () => {
  it("is self-contained without scripts or external references", () => {
    for (const { title, svg } of titled) {
      expect(svg, title).not.toMatch(/<(text|script|style|image|foreignObject|a)[\s>]/);
      expect(svg, title).not.toMatch(/\son\w+=/);
      expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', ""), title).not.toMatch(/https?:|data:|@import/);
      for (const [, href] of svg.matchAll(/href="([^"]*)"/g)) expect(href, title).toMatch(/^#\w+$/);
      for (const [, id] of svg.matchAll(/url\(([^)]*)\)/g)) expect(id, title).toMatch(/^#\w+$/);
      expect(svg, title).not.toMatch(/NaN|undefined|Infinity|null/);
    }
  });

  it("defines every id that it uses, each once", () => {
    for (const { title, svg } of titled) {
      const ids = Array.from(svg.matchAll(/ id="(\w+)"/g), ([, id]) => id);
      expect(new Set(ids).size, title).toBe(ids.length);
      for (const [, id] of svg.matchAll(/(?:href="|url\()#(\w+)/g)) expect(ids, title).toContain(id);
    }
  });

  it("is well-formed", () => {
    for (const { title, svg } of titled) {
      const open: string[] = [];
      for (const [, end, name = "", rest = ""] of svg.matchAll(/<(\/?)([a-zA-Z]+)((?:\s[\w-]+="[^"<]*")*\s*\/?)>/g)) {
        if (end) expect(open.pop(), title).toBe(name);
        else if (!rest.endsWith("/")) open.push(name);
      }
      expect(open, title).toEqual([]);
      expect(svg.match(/</g)?.length, title).toBe(svg.match(/>/g)?.length);
    }
  });

  it("has the size that pages expect and less than 12 KB", () => {
    for (const { title, name, svg } of titled) {
      const [width, height] = posterSize(name);
      expect(svg, title).toContain(`width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`);
      expect(Buffer.byteLength(svg), title).toBeLessThan(12 * 1024);
    }
  });
});

describe("the poster generator", () => {
  it("returns the same bytes each time", () => {
    expect(drawAll()).toEqual(all);
  });

  it("draws each poster in both languages under its own URL", () => {
    expect(all).toHaveLength(Object.keys(sheets).length * 2);
    expect(urls.size).toBe(all.length);
  });

  it("draws posters with a title differently in English", () => {
    for (const [name, sheet] of Object.entries(sheets)) {
      if (sheet.words) expect(poster(name, sheet, "en-US")).not.toBe(poster(name, sheet, "zh-CN"));
    }
  });

  it("throws on a character without an outline", () => {
    expect(() => set("condensed", "入", 0, 0, { fill: "#000" })).toThrow(/no outline of "入"/);
    expect(measure("condensed", "AA")).toBe(2 * measure("condensed", "A"));
  });
});

describe("referenced posters", () => {
  it("the posters of the packages exist", () => {
    for (const name of ["m-a", "m-b", "m-c"]) expect(urls).toContain(posterUrl(name, "en-US"));
  });
});

describe("poster URLs", () => {
  it.each([
    ["/posters/g-tee.svg", "zh-CN", "/posters/g-tee.svg"],
    ["/posters/g-tee.svg", "en-US", "/posters/en-US/g-tee.svg"],
    ["/posters/en-US/g-tee.svg", "zh-CN", "/posters/g-tee.svg"],
    ["https://cdn.example/posters/g-tee.svg", "en-US", "https://cdn.example/posters/g-tee.svg"],
    ["/uploads/a.png", "en-US", "/uploads/a.png"],
  ])("pictureUrl of %s in %s is %s", (url, locale, expected) => {
    expect(pictureUrl(url, locale)).toBe(expected);
  });

  it("posterSize throws on an unknown name", () => {
    for (const name of ["x-echo", "echo", "", "constructor"]) expect(() => posterSize(name)).toThrow(/is no poster/);
  });

  it("fallbackPoster is stable per item and differs between items", () => {
    const uids = Array.from({ length: 200 }, (_, index) => `good-${index}`);
    for (const uid of [...uids, "", "茶杯"]) {
      expect(fallbackPoster(uid)).toBe(fallbackPoster(uid));
      expect(Object.keys(sheets)).toContain(fallbackPoster(uid));
    }
    expect(new Set(uids.map(fallbackPoster)).size).toBe(12);
    expect(fallbackPoster("mug")).toMatchInlineSnapshot(`"g-parcel-0"`);
  });
});
