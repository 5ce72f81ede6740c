import { mkdtemp, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PictureEncoder, removeUnused } from "../../src/build/picture/encode.ts";
import { inspectPicture } from "../../src/content/picture/inspect.ts";
import { readRecord } from "../../src/content/picture/record.ts";
import { tints, toNearestTint } from "../../src/content/picture/tint.ts";

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
