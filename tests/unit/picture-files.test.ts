import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { serialize } from "parse5";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PictureEncoder } from "../../src/build/picture/encode.ts";
import { writePictures } from "../../src/build/picture/integration.ts";
import { getGlyph } from "../../src/build/picture/poster/fonts.ts";
import { drawPoster } from "../../src/build/picture/poster/poster.ts";
import { fitText, loadText } from "../../src/build/picture/poster/type.ts";
import { listElements, parseHtml } from "../../src/content/html-tree.ts";
import { completePictures } from "../../src/content/picture/body.ts";
import { inspectPicture } from "../../src/content/picture/inspect.ts";
import { describePoster } from "../../src/content/picture/poster.ts";
import type { PosterSpec } from "../../src/content/picture/record.ts";
import { readSvg } from "../../src/content/picture/svg.ts";
import { toSrcset } from "../../src/lib/picture.ts";
import { finishPage } from "../support/content/finish-page.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pictures-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("the pictures of a built site", () => {
  /** Builds a site with some pictures, `others` among them. */
  async function build(name: string, others: (urls: string[]) => string[], ...sources: [name: string, content: Buffer][]) {
    const [dist, cache] = [join(folder, name), join(folder, `${name}-cache`)];
    await mkdir(dist);
    const facts = await Promise.all(
      sources.map(async ([name, content]) => {
        await writeFile(join(folder, name), content);
        return inspectPicture(join(folder, name), cache);
      }),
    );
    const urls = facts.map((one) => ("url" in one ? one.url : one.fault));
    const reports: string[] = [];
    const larger = new Set<string>();
    const all = [...urls, ...others(urls)];
    const write = () => writePictures(dist, all, new PictureEncoder(cache), (text) => reports.push(text), larger);
    await write();
    const read = (url: string) => readFile(join(dist, url));
    return { urls, read, write, reports, larger };
  }

  it("are upright WebP in every width, without EXIF, and reported while they are encoded", async () => {
    const photograph = await sharp({
      create: {
        width: 500,
        height: 700,
        channels: 3,
        background: "#06a05c",
        noise: { type: "gaussian", mean: 128, sigma: 40 },
      },
    })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD3: { GPSLatitude: "31/1 12/1 0/1", GPSLatitudeRef: "N" }, IFD0: { Artist: "Anna" } })
      .toBuffer();
    expect((await sharp(photograph).metadata()).exif?.toString("latin1")).toContain("Anna");
    const { urls, read, write, reports } = await build("upright", () => [], ["upright.jpg", photograph]);
    await write();
    // The second time the cache has them.
    expect(reports).toEqual(["Preparing pictures: 0 of 1"]);
    for (const [width, height] of Object.entries({ 320: 229, 700: 500 })) {
      const file = await read(urls[0]?.replace("/700.", `/${width}.`) ?? "");
      const metadata = await sharp(file).metadata();
      expect(metadata).toMatchObject({ format: "webp", width: Number(width), height });
      expect(metadata.exif ?? metadata.xmp ?? metadata.icc).toBeUndefined();
      expect(file.includes("Anna")).toBe(false);
    }
  });

  it("have AVIF where it is smaller, and no source where it is not", async () => {
    const circles = Array.from(
      { length: 60 },
      (_, index) => `<circle cx="${(index * 79) % 640}" cy="${(index * 47) % 400}" r="40"/>`,
    );
    const scene = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><defs><linearGradient id="g"><stop stop-color="#135"/><stop offset="1" stop-color="#fa5"/></linearGradient></defs>
      <rect width="640" height="400" fill="url(#g)"/><g fill="#e54151" opacity=".5">${circles.join("")}</g></svg>`;
    const photograph = await sharp(Buffer.from(scene)).png().toBuffer();
    const toAvif = (url: string) => url.replace(/webp$/, "avif");
    const { urls, larger, read } = await build(
      "avif",
      (all) => all.map(toAvif),
      ["photograph.png", photograph],
      [
        "dot.png",
        await sharp({ create: { width: 9, height: 9, channels: 3, background: "#e54151" } })
          .png()
          .toBuffer(),
      ],
    );
    const [large = "", small = ""] = urls;
    const toPicture = (url: string) =>
      `<picture><source type="image/avif" srcset="${toSrcset(url, "avif")}"><img src="${url}"></picture>`;
    const toIsland = (avif = "") => `<astro-island props="{&quot;avif&quot;:[0,&quot;${avif}&quot;]}"></astro-island>`;
    const page = `<!doctype html><html><head><meta charset="utf-8"></head><body>${urls.map((url) => toPicture(url) + toIsland(toSrcset(url, "avif"))).join("")}</body></html>`;
    const { html } = await finishPage(page, { larger });
    const first = toPicture(large) + toIsland(toSrcset(large, "avif"));
    expect(html).toContain(`${first}<picture><img src="${small}"></picture>${toIsland()}`);
    const avif = await read(large.replace(".webp", ".avif"));
    expect((await sharp(avif).metadata()).compression).toBe("av1");
    expect(avif.length).toBeLessThan((await read(large)).length);
    await expect(read(small.replace(".webp", ".avif"))).rejects.toThrow(/ENOENT/);
  });

  it("are SVGs as they are", async () => {
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 4"><path d="M0 0h3v4H0z"/></svg>');
    const { urls, read } = await build("drawing", () => [], ["drawing.svg", drawing]);
    expect(await read(urls[0] ?? "")).toEqual(drawing);
  });

  it.each([
    ["their size, widths and colour", 400, ' class="tint-m3"'],
    ["no colour when they are tall, and narrower than their box", 1200, ""],
    ["a plate when they are taller than two widths", 1700, ' class="tall"'],
  ])("in a text have %s, and load when they are near", async (_, height, tint) => {
    const [cache, path] = [join(folder, "body-cache"), join(folder, `body-${height}.png`)];
    await sharp({ create: { width: 800, height, channels: 3, background: "#06a05c" } })
      .png()
      .toFile(path);
    const facts = await inspectPicture(path, cache);
    const [url, alt] = ["url" in facts ? facts.url : facts.fault, 'alt="Stage &quot;A&quot;"'];
    const { root: text } = parseHtml(`<p><img src="${url}" ${alt}><img src="/icon.svg" alt=""></p>`);
    await completePictures(listElements(text), cache);
    expect(serialize(text)).toBe(
      `<p><img width="800" height="${height}" loading="lazy" decoding="async" srcset="${toSrcset(url)}" sizes="auto, (min-width: 40rem) 38rem, 100vw"${tint} src="${url}" ${alt}><img src="/icon.svg" alt=""></p>`,
    );
  });

  it("of 50 megapixels take less than 1 GB", { tags: ["full"], timeout: 60_000 }, async () => {
    const path = join(folder, "large.jpg");
    // Progressive ones are decoded as a whole.
    await sharp({ create: { width: 8660, height: 5773, channels: 3, background: "#135" } })
      .jpeg({ progressive: true })
      .toFile(path);
    const sources = join(import.meta.dirname, "../../src");
    const script = `
      import { inspectPicture } from "${sources}/content/picture/inspect.ts";
      import { PictureEncoder } from "${sources}/build/picture/encode.ts";
      const cache = ${JSON.stringify(join(folder, "large-cache"))};
      const { hash } = await inspectPicture(${JSON.stringify(path)}, cache);
      await new PictureEncoder(cache).isSmallerAsAvif(hash);
      console.log(process.resourceUsage().maxRSS);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    expect(Number(stdout)).toBeGreaterThan(50_000);
    expect(Number(stdout)).toBeLessThan(1_000_000);
  });

  it("stop the build when there is none with an address", async () => {
    await expect(build("none", () => ["/pictures/0123456789ab.m3.svg"])).rejects.toThrow(
      "/pictures/0123456789ab.m3.svg is no picture of the shop",
    );
  });
});

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
    expect(svgs.map((svg) => hash("sha256", svg).slice(0, 16))).toMatchInlineSnapshot(`
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

it("a word too long for a poster breaks, and the others do not", async () => {
  const title = "Donaudampfschifffahrtsgesellschaftskapitän souvenir edition number 15";
  const { lines } = fitText(await loadText("wide", title, false), { width: 240, height: 400, most: 120, least: 24 });
  const texts = lines.map((line) => line.map(({ text }) => text).join(""));
  for (const word of title.split(" ").slice(1)) expect(texts.join("|")).toMatch(new RegExp(`(^|[| ])${word}($|[| ])`));
  expect(texts.join("").replaceAll(" ", "")).toBe(title.replaceAll(" ", ""));
});

describe("a character", () => {
  it.each([
    ["Chinese", "春"],
    ["Latin", "Ö"],
    ["Cyrillic", "Ж"],
    ["Japanese", "の"],
    ["rare Chinese, of Japan", "𠮷"],
    ["rare Chinese, of Hong Kong", "𨭎"],
    ["a variant", "㐂"],
    ["a mark on a letter", "é".normalize("NFD")],
  ])("is drawn from a font: %s", async (_, character) => {
    for (const face of ["serif", "sans", "wide", "print"] as const)
      expect(await getGlyph(face, character, true)).not.toHaveProperty("isPlate");
  });

  it.each(["🎷", "䶮", "م", "서", "🇨🇳", "\ufffe"])("that no font has is a plate: %s", async (character) => {
    for (const face of ["serif", "print"] as const)
      expect(await getGlyph(face, character, true)).toMatchObject({ isPlate: true, outline: { length: 5 } });
  });

  it("of Chinese punctuation stands in its square only in Chinese", async () => {
    expect((await getGlyph("serif", "“", true)).width).toBeGreaterThan(400);
    expect((await getGlyph("serif", "“", false)).width).toBeLessThan(400);
  });
});
