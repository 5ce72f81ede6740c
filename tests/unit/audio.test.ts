import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeAudio } from "#src/build/media.ts";
import { type AudioFacts, inspectAudio } from "#src/content/audio/inspect.ts";
import { selectPublished } from "#src/content/publish.ts";
import { readShop } from "#src/content/read.ts";
import { findAudio } from "#src/lib/media-address.ts";
import { bars, formatClock, tallest, toPeaks, toWavePath } from "#src/lib/waveform.ts";
import { findFaults, shopFiles, writeShopFiles } from "#tests/support/content/shop-files.ts";
import { serveFixture } from "#tests/support/content/site.ts";
import { root } from "#tests/support/rules/sources.ts";

const folder = mkdtempSync(join(tmpdir(), "audio-"));
afterAll(() => rmSync(folder, { recursive: true }));
const record = join(root, "tests/fixtures/label/goods/first-pressing/side-a.mp3");
/** A frame of silence: MPEG 2.5, 8 kbit/s, 8 kHz, mono, 72 ms. */
const silence = Buffer.concat([Buffer.from([0xff, 0xe3, 0x18, 0xc0]), Buffer.alloc(68)]);

/** The head of a frame of layer II, and an ID3 tag of 10 bytes. */
const layer2 = Buffer.concat([Buffer.from([0xff, 0xfd, 0x84, 0x00]), Buffer.alloc(400)]);
const tag = Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\0\x0a"), Buffer.alloc(10, 0xff)]);
/** A frame of silence of the same kind with twice the bitrate. */
const fuller = Buffer.concat([Buffer.from([0xff, 0xe3, 0x28, 0xc0]), Buffer.alloc(140)]);

async function inspect(name: string, content: Buffer | string, cache?: string): Promise<AudioFacts | string> {
  writeFileSync(join(folder, name), content);
  const facts = await inspectAudio(join(folder, name), cache);
  return "fault" in facts ? facts.fault : facts;
}

describe("a waveform", () => {
  it("has 72 bars, of which the loudest is the highest, in less than 500 bytes", () => {
    const peaks = toPeaks(Array.from({ length: 5000 }, (_, index) => (index % 97) / 1000));
    expect(peaks).toHaveLength(bars);
    expect(Math.max(...peaks)).toBe(tallest);
    expect(toWavePath(Array.from({ length: bars }, (_, bar) => (bar % 2 ? 1 : tallest))).length).toBeLessThan(500);
    expect(toWavePath([1, 1, 24])).toBe("M0 24v-1h1h1v-23h1V24z");
  });

  it("of silence and of less samples than bars is flat", () => {
    for (const samples of [[], [0], Array(1000).fill(0)]) expect(new Set(toPeaks(samples))).toEqual(new Set([1]));
  });

  it.each([
    [0, "0:00"],
    [83.9, "1:23"],
    [600, "10:00"],
  ])("formats %i seconds as %s", (seconds, clock) => expect(formatClock(seconds)).toBe(clock));
});

describe("an audio file", () => {
  it("has an address of its content, its length and its waveform", async () => {
    const facts = await inspectAudio(record);
    if ("fault" in facts) expect.fail(facts.fault);
    expect(facts.url).toMatch(/^\/audio\/[0-9a-f]{12}\.mp3$/);
    expect(facts.seconds).toBeGreaterThan(11);
    expect(facts.peaks).toHaveLength(bars);
    expect(new Set(facts.peaks).size).toBeGreaterThan(5);
  });

  it("that is unchanged is not decoded again", async () => {
    const cache = join(folder, "cache");
    const first = await inspect("again.mp3", readFileSync(record), cache);
    const [name = ""] = readdirSync(cache);
    const stored = JSON.parse(readFileSync(join(cache, name), "utf8"));
    writeFileSync(join(cache, name), JSON.stringify({ ...stored, facts: { ...stored.facts, seconds: 1 } }));
    expect(await inspect("again.mp3", readFileSync(record), cache)).toEqual({ ...Object(first), seconds: 1 });
  });

  it.each([
    ["empty.mp3", "", "is empty (0 bytes): copy the audio again"],
    ["text.mp3", "not a song", "is damaged or no MP3, whatever its name ends in: export it again, such as side-a.mp3"],
    ["radio.mp3", layer2, "is MPEG audio of layer I or II, which browsers do not play: export it as MP3"],
    ["tag.mp3", Buffer.concat([tag, layer2]), "is MPEG audio of layer I or II, which browsers do not play"],
    ["tagged.mp3", `ID3${"words ".repeat(5000)}`, "is damaged or no MP3"],
    ["cut.mp3", Buffer.concat([silence.subarray(0, 4), Buffer.alloc(40_000, 7)]), "is damaged or no MP3"],
    ["wave.mp3", "RIFF....WAVEfmt ", "is WAV audio: every browser plays MP3, export it as such"],
    ["apple.m4a", "\0\0\0 ftypM4A ", "is M4A audio: every browser plays MP3"],
    ["song.wav", silence, "is MP3 audio with another ending: rename it to end in .mp3"],
    ["long.mp3", Buffer.concat(Array(8500).fill(silence)), "is longer than 10 minutes: cut it to what is worth hearing"],
  ])("%s is refused", async (name, content, fault) => {
    expect(await inspect(name, content)).toContain(fault);
  });

  it.each([
    ["zeros", Buffer.alloc(1_000)],
    ["a tag", tag],
    ["a tag and zeros", Buffer.concat([tag, Buffer.alloc(3)])],
  ])("with %s before its first frame is heard", async (_, head) => {
    expect(await inspect("head.mp3", Buffer.concat([head, ...Array(20).fill(silence)]))).toMatchObject({ seconds: 1.4 });
  });

  it("of a variable bitrate without a header is named, as browsers show a wrong length", async () => {
    const named = "has a variable bitrate and no header with its length";
    const frames = [...Array(10).fill(silence), ...Array(10).fill(fuller)];
    expect(await inspect("variable.mp3", Buffer.concat(frames))).toHaveProperty("advice", expect.stringContaining(named));
    const first = Buffer.from(silence);
    first.write("Xing", 13);
    expect(await inspect("header.mp3", Buffer.concat([first, ...frames]))).not.toHaveProperty("advice");
    expect(await inspect("constant.mp3", readFileSync(record))).not.toHaveProperty("advice");
  });

  it("of more than 10 MB, in capital letters, missing or a folder is refused", async () => {
    const large = join(folder, "large.mp3");
    writeFileSync(large, "");
    truncateSync(large, 10.5 * 2 ** 20);
    const find = async (path: string) => Object(await inspectAudio(path)).fault;
    expect(await find(large)).toContain("has 10.5 MB: a preview has 10 MB at most");
    expect(await find(join(folder, "LARGE.mp3"))).toBe("is not there, but large.mp3 is: small and capital letters differ");
    expect(await find(join(folder, "none.mp3"))).toMatch(/^is not there, but again.mp3, .* lie beside the text$/);
    expect(await find(folder)).toContain("is a folder: name the audio in it");
  });
});

describe("the field audio", () => {
  const [zh, en] = ["goods/shirt/index.zh-CN.md", "goods/shirt/index.en-US.md"];
  const withField = (path: string, field: string) => (shopFiles[path] ?? "").replace("---\n", `---\n${field}\n`);
  const pieces = "audio: [{title: 甲, file: a.mp3}, {title: 乙, file: a.mp3}]";

  it.each([
    ["audio: a.mp3", "audio: must be a list, such as: [{title: Side A, file: side-a.mp3}]"],
    [
      "audio: [{title: 甲, file: none.mp3}]",
      "audio 1: none.mp3 is not there: no audio lies beside the text yet, so put it there",
    ],
    ["audio: [{title: 甲, file: ../a.mp3}]", "audio 1, file: must be the name of an MP3 beside the text"],
    ["audio: [{file: a.mp3}]", "audio 1, title: is missing, such as: title: Side A"],
    [`audio: [${Array(13).fill("{title: 甲, file: a.mp3}").join(", ")}]`, "audio: must have at most 12 entries"],
  ])("%s is refused", async (field, fault) => {
    expect(await findFaults(zh, "---\n", `---\n${field}\n`)).toContain(`${zh}: ${fault}`);
  });

  it("has its titles in each language, and its files are published once, without those of drafts", async () => {
    const shopFolder = writeShopFiles({
      [zh]: withField(zh, pieces),
      [en]: withField(en, "audio: [{title: One}, {title: Two}]"),
      "goods/mug/index.zh-CN.md": withField("goods/mug/index.zh-CN.md", "draft: true\naudio: [{title: 丙, file: b.mp3}]"),
    });
    copyFileSync(record, join(shopFolder, "goods/shirt/a.mp3"));
    writeFileSync(join(shopFolder, "goods/mug/b.mp3"), Buffer.concat(Array(20).fill(silence)));
    writeFileSync(join(shopFolder, "goods/mug/unused.mp3"), silence);
    const cache = join(folder, "shop-cache");
    const { shop, faults } = await readShop(shopFolder, { audioCache: cache });
    if (!shop) expect.fail(faults.join("\n"));
    const titles = shop.goods.find(({ id }) => id === "shirt")?.texts.map(({ data }) => data.audio?.map(({ title }) => title));
    expect(titles).toEqual([
      ["甲", "乙"],
      ["One", "Two"],
    ]);
    expect(shop.unusedFiles).toEqual(["goods/mug/unused.mp3"]);
    const dist = join(folder, "dist");
    await writeAudio(dist, findAudio(JSON.stringify(selectPublished(shop, new Date()))), cache);
    const published = readdirSync(join(dist, "audio"));
    expect(published.map((name) => readFileSync(join(dist, "audio", name)).equals(readFileSync(record)))).toEqual([true]);
  });
});

describe("the site server", () => {
  let site: Awaited<ReturnType<typeof serveFixture>>;
  beforeAll(async () => {
    site = await serveFixture({ "audio/0123456789ab.mp3": "0123456789", "build.json": "{}" });
  });
  afterAll(() => site.close());
  const request = (headers: Record<string, string> = {}) => site.request("/audio/0123456789ab.mp3", headers);

  it("sends audio with its type, to be cached forever", async () => {
    expect((await request()).headers).toMatchObject({
      "content-type": "audio/mpeg",
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=31536000, immutable",
    });
  });

  it.each([
    ["bytes=0-", 206, "0123456789", "bytes 0-9/10"],
    ["bytes=3-5", 206, "345", "bytes 3-5/10"],
    ["bytes=8-99", 206, "89", "bytes 8-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=10-", 416, "", "bytes */10"],
    ["bytes=-0", 416, "", "bytes */10"],
    ["bytes=5-3", 200, "0123456789", undefined],
    ["bytes=0-1,3-4", 200, "0123456789", undefined],
    ["lines=1-2", 200, "0123456789", undefined],
  ])("answers Range: %s with %i and %s", async (range, status, body, part) => {
    const response = await request({ range });
    expect([response.status, response.body.toString(), response.headers["content-range"]]).toEqual([status, body, part]);
  });

  it("sends all of a file that has changed since the first part", async () => {
    const { etag = "" } = (await request()).headers;
    expect((await request({ range: "bytes=0-1", "if-range": '"old"' })).status).toBe(200);
    expect((await request({ range: "bytes=0-1", "if-range": etag })).status).toBe(206);
  });
});
