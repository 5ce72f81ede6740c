import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext } from "@playwright/test";
import pixelmatch from "pixelmatch";
import sharp from "sharp";

/** A page to capture, and the name of its picture in the design. */
export interface ScreenshotPage {
  name: string;
  path: string;
  design?: string;
  /** Captured as a member: the demo's, who has orders and bookings, or one who has nothing yet. */
  by?: "member" | "newcomer";
}

export interface Picture {
  page: string;
  /** `375-dark-zh`: width, mode and language. */
  variant: string;
  /** File name, relative to the index. */
  file: string;
  /** File name of the design's picture, if any. */
  design: string | null;
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function figure({ variant, file, design }: Picture): string {
  const image = (src: string, alt: string) =>
    `<figure><a href="${escapeHtml(src)}"><img src="${escapeHtml(src)}" alt="" loading="lazy"></a><figcaption>${escapeHtml(alt)}</figcaption></figure>`;
  return image(file, variant) + (design ? image(design, `${variant}, design`) : "");
}

/** Renders an HTML page of all pictures, each beside the design's. */
export function renderIndex(pictures: Picture[]): string {
  const pages = [...new Set(pictures.map(({ page }) => page))];
  const sections = pages.map((page) => {
    const figures = pictures.filter((picture) => picture.page === page).map(figure);
    return `<section id="${escapeHtml(page)}"><h2>${escapeHtml(page)}</h2><div>${figures.join("")}</div></section>`;
  });
  const links = pages.map((page) => `<a href="#${escapeHtml(page)}">${escapeHtml(page)}</a>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures</title>
<style>body{font:14px system-ui;margin:0;padding:16px;background:#777}nav{position:sticky;top:0;background:#fff;padding:8px;display:flex;flex-wrap:wrap;gap:12px}
section>div{display:flex;gap:12px;overflow-x:auto;align-items:flex-start}figure{margin:0;flex:none}img{display:block;height:80vh;width:auto}</style>
<nav>${links.join("")}</nav>${sections.join("\n")}</html>
`;
}

interface Answer {
  status: number;
  contentType: string;
  body: string;
}

/** What a run of pictures depends on besides the built pages: with the same record, two builds show the same orders, times and pay codes. */
export interface Record {
  /** When the pictures were taken, in ms: the browser's clock. */
  at: number;
  pages: ScreenshotPage[];
  /** The API's responses by request. */
  answers: { [request: string]: Answer };
}

const getFile = (folder: string) => join(folder, "record.json");

/** Reads the record of pictures in a folder. Throws when it has none. */
export function readRecord(folder: string): Record {
  if (!existsSync(getFile(folder))) throw new Error(`${folder} holds no pictures of \`npm run pictures\``);
  return JSON.parse(readFileSync(getFile(folder), "utf8"));
}

export function writeRecord(folder: string, record: Record): void {
  writeFileSync(getFile(folder), JSON.stringify(record));
}

/** Sets the clock, and answers calls as the record does; adds the answers that it does not have. `variant` tells equal requests of different members or languages apart. */
export async function follow(context: BrowserContext, variant: string, record: Record): Promise<void> {
  await context.clock.setFixedTime(record.at);
  await context.route("**/v1/**", async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const key = `${variant} ${request.method()} ${pathname}${search} ${request.postData() ?? ""}`;
    const answer = record.answers[key];
    if (answer) return route.fulfill(answer);
    const response = await route.fetch().catch(() => null);
    if (!response) return route.abort();
    const contentType = response.headers()["content-type"] ?? "";
    record.answers[key] = { status: response.status(), contentType, body: await response.text() };
    await route.fulfill({ response });
  });
}

/** Pixels that may differ: rounding at the edge of a glyph. */
const mostPixels = 12;

/** Compares two pictures, without what antialiasing changes. Returns null when they are equal, otherwise what differs; writes the difference to `out`. */
export async function compare(before: string, after: string, out: string): Promise<string | null> {
  if (!existsSync(before)) return "is new";
  const read = (file: string) => sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const [one, other] = await Promise.all([read(before), read(after)]);
  const { width, height } = one.info;
  if (width !== other.info.width || height !== other.info.height)
    return `is ${other.info.width} x ${other.info.height}, was ${width} x ${height}`;
  const difference = Buffer.alloc(width * height * 4);
  const count = pixelmatch(one.data, other.data, difference, width, height, { threshold: 0.1 });
  if (count <= mostPixels) return null;
  await sharp(difference, { raw: { width, height, channels: 4 } })
    .png()
    .toFile(out);
  return `differs in ${count} pixels: ${out}`;
}
