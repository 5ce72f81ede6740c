import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32, deflateSync } from "node:zlib";
import { serialize } from "parse5";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatCards, formatMissing, formatPrepared, pictureLogLines } from "#src/build/files.ts";
import { writePictures } from "#src/build/media.ts";
import { PictureEncoder, removeUnused } from "#src/build/picture/encode.ts";
import { getGlyph, takeMissing } from "#src/build/picture/fonts.ts";
import { drawPoster } from "#src/build/picture/poster/poster.ts";
import { drawCard, fitTitle } from "#src/build/picture/share-card.ts";
import { fitText, loadText } from "#src/build/picture/typesetting.ts";
import { listElements, parseHtml } from "#src/content/html-tree.ts";
import { completePictures } from "#src/content/picture/body.ts";
import { cardSize } from "#src/content/picture/card.ts";
import { inspectPicture } from "#src/content/picture/inspect.ts";
import { describePoster } from "#src/content/picture/poster.ts";
import { type PosterSpec, readRecord } from "#src/content/picture/record.ts";
import { readSvg } from "#src/content/picture/svg.ts";
import { tints, toNearestTint } from "#src/content/picture/tint.ts";
import { toSrcset } from "#src/lib/picture.ts";
import { finishPage } from "#tests/support/content/finish-page.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "picture-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function inspect(name: string, content: string | Buffer, cache?: string) {
  await writeFile(join(folder, name), content);
  return inspectPicture(join(folder, name), cache);
}

/** A picture of one colour. */
const flat = (width: number, height: number, background = "#e54151") =>
  sharp({ create: { width, height, channels: 3, background } });
/** A picture of noise: nothing compresses worse. */
const noisy = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background, noise: { type: "gaussian", mean: 128, sigma: 80 } } });
const svg = (content: string, attributes = 'viewBox="0 0 30 40"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

describe("the facts of a picture", () => {
  it.each([
    ["jpeg", "a.jpg", () => flat(900, 600).jpeg().toBuffer()],
    ["png", "a.png", () => flat(900, 600).png().toBuffer()],
    ["webp", "a.webp", () => flat(900, 600).webp().toBuffer()],
    ["avif", "a.avif", () => flat(900, 600).avif({ effort: 0 }).toBuffer()],
  ])("%s: size, dominant colour and an address of its content", async (_, name, create) => {
    const facts = await inspect(name, await create());
    expect(facts).toMatchObject({ kind: "raster", width: 900, height: 600, tint: "m0" });
    expect(facts).toHaveProperty("url", expect.stringMatching(/^\/pictures\/[0-9a-f]{12}\.m0\/900\.webp$/));
  });

  it("turns a photograph as its EXIF says, and names the largest width of the site", async () => {
    const turned = await flat(2000, 3000).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(await inspect("turned.jpg", turned)).toMatchObject({ width: 1600, height: 1067 });
  });

  it.each([
    ["viewBox", 'viewBox="0 0 30 40"', 30, 40],
    ["width and height", 'width="300" height="200px" viewBox="0 0 3 2"', 300, 200],
    ["width with the ratio of the viewBox", 'width="60" viewBox="0,0,30,40"', 60, 80],
    ["percentages", 'width="100%" height="100%" viewBox="0 0 30 40"', 30, 40],
    ["centimetres", 'width="2.54cm" height="1in"', 96, 96],
  ])("reads the size of an SVG: %s", async (_, attributes, width, height) => {
    const facts = await inspect("a.svg", svg('<rect width="300" height="400" fill="#06a05c"/>', attributes));
    expect(facts).toMatchObject({ kind: "svg", width, height, tint: "m3" });
    expect(facts).toHaveProperty("url", expect.stringMatching(/^\/pictures\/[0-9a-f]{12}\.m3\.svg$/));
  });

  it("has no colour where a picture is transparent", async () => {
    expect(await inspect("clear.svg", svg('<rect width="3" height="40"/>'))).toMatchObject({ tint: "none" });
  });

  it("allows what drawing programs write", async () => {
    const content = `<metadata xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:RDF/></metadata>
      <style>.a { fill: url(#g) }</style><defs><linearGradient id="g"><stop stop-color="red"/></linearGradient></defs>
      <path id="p" d="M0 0h9v9z" style="fill:url('#g')"/><use xlink:href="#p"/><text>a (b) @ 1</text>`;
    expect(await inspect("drawn.svg", svg(content))).toMatchObject({ kind: "svg" });
  });

  it("does not decode an unchanged picture again", async () => {
    const cache = join(folder, "cache");
    const facts = await inspect("one.png", await flat(20, 10).png().toBuffer(), cache);
    expect(facts).toMatchObject({ width: 20 });
    const { hash } = "hash" in facts ? facts : { hash: "" };
    const file = join(cache, `${hash}.json`);
    // What the cache says is returned.
    await writeFile(file, JSON.stringify({ facts: { ...facts, tint: "cached" }, source: { path: join(folder, "one.png") } }));
    expect(await inspectPicture(join(folder, "one.png"), cache)).toMatchObject({ tint: "cached" });
    const { mtimeMs } = await stat(file);
    await inspectPicture(join(folder, "one.png"), cache);
    expect((await stat(file)).mtimeMs).toBe(mtimeMs);
  });

  it("remembers the last place of a picture, and the first one of several in the same reading", async () => {
    const [cache, bytes] = [join(folder, "places-cache"), await flat(21, 10).png().toBuffer()];
    const facts = await inspect("first.png", bytes, cache);
    const { hash } = "hash" in facts ? facts : { hash: "" };
    const readPlace = async () => (await readRecord(cache, hash))?.source;
    await inspect("second.png", bytes, cache);
    expect(await readPlace()).toEqual({ path: join(folder, "second.png") });
    const inspected = new Map();
    for (const name of ["first.png", "second.png"])
      expect(await inspectPicture(join(folder, name), cache, inspected)).toEqual(facts);
    expect(await readPlace()).toEqual({ path: join(folder, "first.png") });
  });
});

describe("a picture that moves", () => {
  const frames = () => Promise.all(["#e54151", "#00774a"].map((color) => flat(30, 20, color).png().toBuffer()));
  /** The chunk of an animation of two frames, after the head of a PNG. */
  const control = () => {
    const chunk = Buffer.concat([Buffer.from("acTL"), Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(8);
    sum.writeUInt32BE(crc32(chunk));
    return Buffer.concat([length, chunk, sum]);
  };

  it.each([
    [
      "WebP",
      "moving.webp",
      async () =>
        sharp(await frames(), { join: { animated: true } })
          .webp()
          .toBuffer(),
    ],
    [
      "PNG",
      "moving.png",
      async () => {
        const [still = Buffer.alloc(0)] = await frames();
        return Buffer.concat([still.subarray(0, 33), control(), still.subarray(33)]);
      },
    ],
  ])("is advised on: %s", async (_, name, create) => {
    const facts = await inspect(name, await create());
    expect(facts).toHaveProperty("advice", expect.stringContaining("moves, but pages show its first frame alone: export"));
  });

  it.each(["webp", "png", "avif"] as const)("is no %s that stands still", async (format) => {
    expect(await inspect(`still.${format}`, await flat(30, 20).toFormat(format).toBuffer())).not.toHaveProperty("advice");
  });
});

describe("a picture is refused by name", () => {
  it.each([
    ["an empty file", "empty.jpg", "", /is empty \(0 bytes\)/],
    ["text called .jpg", "text.jpg", "Dear all,\n", /is no picture, whatever its name ends in/],
    ["a page called .jpg", "page.jpg", "<!doctype html>", /is text and no JPEG picture/],
    ["a GIF", "a.gif", "GIF89a\x01\0\x01\0", /is a GIF picture: export it as JPEG/],
    ["a TIFF", "a.tif", "II*\0\x08", /is a TIFF picture/],
    ["a BMP", "a.bmp", `BM${"\0".repeat(40)}`, /is a BMP picture/],
    ["HEIC", "a.heic", "\0\0\0\x18ftypheic\0\0\0\0mif1heic", /is a HEIC picture.*export it as JPEG/],
    ["HEIC called .jpg", "b.jpg", "\0\0\0\x18ftypheic\0\0\0\0mif1heic", /is a HEIC picture/],
    ["half a JPEG header", "cut.jpg", Buffer.from("ffd8ffe000104a4649460001", "hex"), /is damaged or cut off/],
  ])("%s", async (_, name, content, fault) => {
    expect(await inspect(name, typeof content === "string" ? Buffer.from(content, "latin1") : content)).toEqual({
      fault: expect.stringMatching(fault),
    });
  });

  it("a JPEG that ends too early", async () => {
    const whole = await flat(400, 400).jpeg().toBuffer();
    expect(await inspect("early.jpg", whole.subarray(0, whole.length / 2))).toEqual({
      fault: expect.stringMatching(/is damaged or cut off/),
    });
  });

  it.each([
    ["higher than any page", "high.png", 3, 4000, "is more than 20 times as high as wide: crop it, or divide it"],
    ["wider than any strip", "wide.png", 4000, 3, "is more than 100 times as wide as high: crop it"],
  ])("one that is %s, from the cache too", async (_, name, width, height, fault) => {
    const bytes = await flat(width, height).png().toBuffer();
    const cache = join(folder, "shapes");
    for (let time = 0; time < 2; time++) expect(await inspect(name, bytes, cache)).toEqual({ fault });
    const drawing = svg(`<path d="M0 0h${width}v${height}H0z"/>`, `viewBox="0 0 ${width} ${height}"`);
    expect(await inspect(name.replace("png", "svg"), drawing)).toEqual({ fault });
  });

  it("a wrong ending, with the right one", async () => {
    expect(await inspect("a.png", await flat(9, 9).jpeg().toBuffer())).toEqual({
      fault: "is a JPEG picture with another ending: rename it to end in .jpg",
    });
  });

  it("one that is not there, with the one that may be meant", async () => {
    await writeFile(join(folder, "Stage.JPG"), "");
    expect(await inspectPicture(join(folder, "stage.jpg"))).toEqual({
      fault: "is not there, but Stage.JPG is: small and capital letters differ",
    });
  });

  it("more than 50 megapixels in a small file", async () => {
    expect(await inspect("bomb.png", createPngBomb(8000, 8000))).toEqual({
      fault: expect.stringMatching(/has 64 megapixels \(8000 × 8000\): a picture has 50 at most/),
    });
  });

  it.each([
    ["a script", "<script>alert(1)</script>", /<script>/],
    ["a script of another prefix", '<s:script xmlns:s="http://www.w3.org/2000/svg"/>', /<s:script>/],
    ["foreignObject", "<foreignObject/>", /<foreignObject>/],
    ["HTML", '<b xmlns="http://www.w3.org/1999/xhtml"/>', /<b> of http:\/\/www\.w3\.org\/1999\/xhtml/],
    ["an event handler", '<rect onload="alert(1)"/>', /onload of <rect>/],
    ["an animated event handler", '<set attributeName="onload" to="alert(1)"/>', /<set> that changes onload/],
    ["an outside picture", '<image href="https://example.com/a.png"/>', /refers to https:\/\/example\.com/],
    ["an outside use", '<use xlink:href="other.svg#a"/>', /refers to other\.svg#a/],
    ["a link that runs a script", '<a href="javascript:alert(1)"/>', /refers to javascript:/],
    ["an outside style", "<style>@import 'a.css'</style>", /@import/],
    ["an escaped outside style", "<style>a { fill: u\\72l(//example.com/a) }</style>", /refers to \/\/example/],
    ["an outside fill", '<rect fill="url(https://example.com/a#b)"/>', /refers to https/],
    ["an embedded SVG", '<image href="data:image/svg+xml;base64,AAAA"/>', /only JPEG, PNG, WebP and AVIF/],
    ["an unclosed element", "<rect>", /cannot be read as XML/],
    ["no size", "", /has no size/, ""],
    ["a huge size", "", /100000 × 100000 pixels/, 'width="100000" height="100000"'],
    ["a bomb of uses", createUseBomb(), /once each <use> is drawn/],
  ])("an SVG with %s", async (_, content, fault, attributes = 'viewBox="0 0 30 40"') => {
    expect(await inspect("bad.svg", svg(content, attributes))).toEqual({ fault: expect.stringMatching(fault) });
  });

  it.each([
    ["entities", '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', /<!DOCTYPE/],
    ["a style sheet", '<?xml-stylesheet href="a.css"?><svg/>', /<\?xml-stylesheet/],
    ["another encoding", '<?xml version="1.0" encoding="utf-7"?><svg/>', /is encoded in utf-7/],
    ["half a megabyte", svg(" ".repeat(600_000)), /512 KB at most/],
    ["another root", "<html/>", /is no SVG/],
  ])("an SVG file with %s", async (_, content, fault) => {
    expect(await inspect("bad.svg", content)).toEqual({ fault: expect.stringMatching(fault) });
  });

  it("an SVG that holds a photograph with its metadata", async () => {
    const photograph = await flat(9, 9)
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD3: { GPSLatitude: "31/1 12/1 0/1" } })
      .toBuffer();
    const content = `<image href="data:image/jpeg;base64,${photograph.toString("base64")}"/>`;
    expect(await inspect("holds.svg", svg(content))).toEqual({
      fault: expect.stringMatching(/holds a photograph with its metadata/),
    });
  });
});

/** A PNG that says it is large, without its pixels. */
function createPngBomb(width: number, height: number): Buffer {
  const toChunk = (type: string, data: Buffer) => {
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    const body = Buffer.concat([Buffer.from(type), data]);
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    toChunk("IHDR", header),
    toChunk("IDAT", deflateSync(Buffer.alloc(100))),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}

function createUseBomb(): string {
  const levels = Array.from({ length: 9 }, (_, level) => `<g id="l${level + 1}">${`<use href="#l${level}"/>`.repeat(10)}</g>`);
  return `<rect id="l0" width="1" height="1"/>${levels.join("")}`;
}

it("the palette of pictures finds each of its own colours", () => {
  for (const [name, hex] of Object.entries(tints)) expect(toNearestTint(hex), hex).toBe(name);
});

it("an unchanged picture is encoded once, and its files stay as long as a build uses them", async () => {
  const cache = join(folder, "encoded");
  const used = await inspect("used.png", await flat(400, 300).png().toBuffer(), cache);
  const unused = await inspect("unused.png", await flat(40, 30).png().toBuffer(), cache);
  const read = (facts: typeof used) => new PictureEncoder(cache).readWhole("hash" in facts ? facts.hash : facts.fault);
  const toFolder = (facts: typeof used) => join(cache, "hash" in facts ? facts.hash : facts.fault);
  for (const facts of [used, unused]) expect(await read(facts)).not.toBeNull();
  // A build that encodes again would write another one.
  await writeFile(join(toFolder(used), "400.webp"), "encoded before");
  const long = new Date(Date.now() - 31 * 24 * 3600_000);
  for (const facts of [used, unused]) await utimes(toFolder(facts), long, long);
  expect((await read(used))?.toString()).toBe("encoded before");
  await removeUnused(cache);
  const isThere = async (facts: typeof used) => (await stat(toFolder(facts)).catch(() => null)) !== null;
  expect([await isThere(used), await isThere(unused)]).toEqual([true, false]);
});

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
    const largerAsAvif = new Set<string>();
    const all = [...urls, ...others(urls)];
    const write = () => writePictures(dist, all, new PictureEncoder(cache), (text) => reports.push(text), largerAsAvif);
    await write();
    const read = (url: string) => readFile(join(dist, url));
    return { urls, read, write, reports, largerAsAvif };
  }

  it("are upright WebP in every width, without EXIF, and reported while they are encoded", async () => {
    const photograph = await noisy(500, 700, "#06a05c")
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
    const { urls, largerAsAvif, read } = await build(
      "avif",
      (all) => all.map(toAvif),
      ["photograph.png", photograph],
      ["dot.png", await flat(9, 9).png().toBuffer()],
    );
    const [large = "", small = ""] = urls;
    const toPicture = (url: string) =>
      `<picture><source type="image/avif" srcset="${toSrcset(url, "avif")}"><img src="${url}"></picture>`;
    const toIsland = (avif = "") => `<astro-island props="{&quot;avif&quot;:[0,&quot;${avif}&quot;]}"></astro-island>`;
    const page = `<!doctype html><html><head><meta charset="utf-8"></head><body>${urls.map((url) => toPicture(url) + toIsland(toSrcset(url, "avif"))).join("")}</body></html>`;
    const { html } = await finishPage(page, { largerAsAvif });
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
    await flat(800, height, "#06a05c").png().toFile(path);
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
    await flat(8660, 5773, "#135").jpeg({ progressive: true }).toFile(path);
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

/** Returns the texts of lines of glyphs. */
const joinGlyphs = (lines: readonly (readonly { text: string }[])[]) =>
  lines.map((line) => line.map(({ text }) => text).join(""));

it("a word too long for a poster breaks, and the others do not", async () => {
  const title = "Donaudampfschifffahrtsgesellschaftskapitän souvenir edition number 15";
  const { lines } = fitText(await loadText("wide", title, false), { width: 240, height: 400, maxSize: 120, minSize: 24 });
  const texts = joinGlyphs(lines);
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
      expect(await getGlyph(face, character, true)).not.toHaveProperty("isMissing");
  });

  it.each(["🎷", "䶮", "م", "서", "🇨🇳", "\ufffe"])("that no font has is a block: %s", async (character) => {
    for (const face of ["serif", "print"] as const)
      expect(await getGlyph(face, character, true)).toMatchObject({ isMissing: true, outline: { length: 5 } });
  });

  it("of Chinese punctuation stands in its square only in Chinese", async () => {
    expect((await getGlyph("serif", "“", true)).width).toBeGreaterThan(400);
    expect((await getGlyph("serif", "“", false)).width).toBeLessThan(400);
  });
});

describe("the title of a share card", () => {
  const box = { width: 1072, height: 456, maxSize: 168, minSize: 52, maxLines: 3, phrases: true } as const;
  const setLines = async (title: string, width: number = box.width) => {
    const { lines, isCut = false } = fitText(await loadText("sans", title, true), { ...box, width });
    return { lines: joinGlyphs(lines), isCut };
  };

  it.each([
    ["江声唱片，成都的爵士乐", 1072, ["江声唱片，", "成都的爵士乐"]],
    ["《第一遍》黑胶", 488, ["《第一遍》", "黑胶"]],
  ])("breaks %s between words", async (title, width, lines) => {
    expect(await setLines(title, width)).toEqual({ lines, isCut: false });
  });

  it.each([
    ["竹筒回声 · 成都 Dub 厂牌", "竹筒回声|成都 Dub 厂牌"],
    ["竹筒 · 回声", "竹筒|回声"],
  ])("drops the dot between words of %s where a line ends", async (title, expected) => {
    const { lines } = await fitTitle({ title, locale: "zh-CN", brand: "", accent: "" }, 488, 456);
    expect(joinGlyphs(lines).join("|")).toBe(expected);
  });

  it("is set in plain letters where no font has the character, and in the character where one has it", async () => {
    expect((await setLines("第Ⅳ幕")).lines).toEqual(["第IV幕"]);
    const { glyphs } = await loadText("sans", "①Ａ﷼", true);
    expect(glyphs.map(({ text }) => text)).toEqual(["①", "Ａ", "﷼"]);
  });

  it.each(["sans", "print"] as const)("has outlines of rare characters in %s, no blocks", async (face) => {
    const title = "𠮷𨭎㐂";
    const { lines } = await fitTitle({ title, locale: "zh-CN", brand: "", accent: "" }, 1072, 456);
    const drawn = face === "sans" ? lines.flat() : (await loadText(face, title, true)).glyphs;
    expect(drawn.map(({ text, isMissing = false }) => ({ text, isMissing }))).toEqual(
      Array.from(title, (text) => ({ text, isMissing: false })),
    );
    expect(new Set(drawn.map(({ outline }) => JSON.stringify(outline))).size).toBe(3);
  });

  it("is named with each character that no font has, once, as a block stands for it", async () => {
    takeMissing();
    const spec = { brand: "社", accent: "#00774a", locale: "zh-CN" } as const;
    for (const title of ["刘䶮独奏", "刘䶮、鿏与𠮷", "刘独奏"]) await drawCard({ ...spec, title }, null, false);
    expect(takeMissing()).toEqual([
      ["䶮", "刘䶮独奏"],
      ["鿏", "刘䶮、鿏与𠮷"],
    ]);
    expect(takeMissing()).toEqual([]);
  });

  it("is cut where a word has no room", async () => {
    expect((await setLines("Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbau", 488)).isCut).toBe(true);
  });

  it("has no emoji, which no font of the posters has", async () => {
    const spec = { brand: "社", accent: "#00774a", locale: "zh-CN" } as const;
    const plain = await drawCard({ ...spec, title: "爵士 之夜" }, null, false);
    expect(await drawCard({ ...spec, title: "🎷爵士 👩‍👩‍👧 之夜🇨🇳" }, null, false)).toEqual(plain);
  });
});

describe("a share card of at most 100 KiB", () => {
  const words = { title: "龘靐 ".repeat(1000), brand: "社", accent: "#00774a", date: "03.20", location: "成都" };
  const spec = { ...words, locale: "zh-CN" } as const;
  const drawNoise = () => noisy(700, 700, "#808080").png().toBuffer();

  it.each([
    ["a title of any length and any character", false, false],
    ["a picture of any detail", true, false],
    ["a photograph of any detail", true, true],
  ])("holds %s", { tags: ["full"] }, async (_, hasPicture, isPhotograph) => {
    const card = await drawCard(spec, hasPicture ? await drawNoise() : null, isPhotograph);
    expect(await sharp(card).metadata()).toMatchObject({ format: isPhotograph ? "jpeg" : "png", ...cardSize });
    expect(card.length).toBeLessThanOrEqual(100 * 1024);
  });
});

it("a command that prints nothing else of a build prints which pictures and share cards it draws", () => {
  const lines = [formatPrepared(0, 3), formatCards(72, 2, 90), formatCards(72, 0, 9), formatMissing("䶮", "刘䶮")];
  expect(
    lines
      .map((line) => `12:00:00 [media] ${line}\n`)
      .join("")
      .match(pictureLogLines),
  ).toEqual([
    "Preparing pictures: 0 of 3",
    "72 share cards in 0.1 s, of which 2 are new",
    'No font has 䶮: a block stands for it in "刘䶮"',
  ]);
});

it("a plate without words is squares, whole frames and a sun in the middle", async () => {
  const [ids, kinds] = [Array.from({ length: 60 }, (_, index) => `plate-${index}`), ["news", "campaign"] as const];
  let [disks, frames, suns] = [0, 0, 0];
  for (const [kind, id] of kinds.flatMap((kind) => ids.map((id) => [kind, id] as const))) {
    const spec = { kind, id, title: "", locale: "zh-CN" as const };
    const { width, height } = await describePoster(spec);
    const svg = await drawPoster(spec, { width, height });
    for (const [, rx, ry] of svg.matchAll(/[aA]([\d.]+) ([\d.]+) 0/g)) {
      expect(rx, id).toBe(ry);
      disks++;
    }
    for (const [, data = ""] of svg.matchAll(/fill-rule="evenodd" d="([^"]+)"/g))
      for (const [, x, y, wide] of data.matchAll(/M([\d.-]+) ([\d.-]+)h([\d.]+)/g)) {
        expect(Math.min(Number(x), Number(y), width - Number(x) - Number(wide)), id).toBeGreaterThan(0);
        frames++;
      }
    const sun = /<circle cx="([\d.]+)" cy="([\d.]+)" r="[\d.]+" fill="[^"]+"\/><path fill="[^"]+" d="M0/.exec(svg);
    if (!sun) continue;
    expect(sun.slice(1).map(Number), id).toEqual([width / 2, height / 2]);
    expect(svg.slice(svg.indexOf("<circle")).match(/<path/g), "no horizon").toHaveLength(1);
    suns++;
  }
  expect(Math.min(disks, frames, suns)).toBeGreaterThan(0);
});

it.each([
  ["《第一遍》压好了", "《第一遍》"],
  ["《退潮》改期", "《退潮》"],
])("the poster of %j has %j on one line", async (title, name) => {
  const box = { width: 320, height: 400, maxSize: 170, minSize: 26 };
  const { lines } = fitText(await loadText("sans", title, true), box);
  expect(joinGlyphs(lines)).toContainEqual(expect.stringContaining(name));
});

describe("the address of a poster", () => {
  const spec = { kind: "event", id: "quiet", title: "静音", date: "2027-03-20", locale: "zh-CN" } as const;

  it("is there before the poster is drawn, and changes with its words", async () => {
    const cache = await mkdtemp(join(tmpdir(), "posters-"));
    const facts = await describePoster(spec, cache);
    expect(facts).toMatchObject({ kind: "svg", width: 600, height: 800 });
    expect(facts.url).toMatch(/^\/pictures\/[0-9a-f]{12}\.\w+\.svg$/);
    expect(await describePoster({ ...spec }, cache)).toEqual(facts);
    expect((await describePoster({ ...spec, title: "不静音" })).url).not.toBe(facts.url);
    expect(await readRecord(cache, facts.hash)).toEqual({ facts, source: { poster: spec } });
    await rm(cache, { recursive: true });
  });

  it("of a pass has the letter of its level as one more outline", async () => {
    const pass = { ...spec, kind: "package", letter: "A" } as const;
    const count = async (part: object) =>
      (await drawPoster({ ...pass, ...part }, { width: 400, height: 640 })).split("<path").length;
    expect(await count({})).toBe((await count({ letter: undefined })) + 1);
  });

  it.each([
    ["news", 900, 600],
    ["goods", 600, 600],
    ["package", 400, 640],
    ["campaign", 600, 676],
  ] as const)("has the size of its kind: %s", async (kind, width, height) => {
    expect(await describePoster({ ...spec, kind })).toMatchObject({ width, height });
  });
});
