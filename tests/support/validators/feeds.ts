import { readFileSync } from "node:fs";
import { join } from "node:path";
import ICAL from "ical.js";
import { SaxesParser } from "saxes";
import { validateXML } from "xmllint-wasm";

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}

/** Returns the root of an XML document. Throws where it is not well-formed. */
function parseXml(xml: string): Element {
  const root: Element = { name: "", attributes: {}, text: "", children: [] };
  const path = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("opentag", ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]): [string, string] => [key, value]);
    const element: Element = { name, attributes: Object.fromEntries(values), text: "", children: [] };
    path.at(-1)?.children.push(element);
    path.push(element);
  });
  parser.on("text", (text) => {
    const open = path.at(-1);
    if (open) open.text += text;
  });
  parser.on("closetag", () => void path.pop());
  parser.write(xml).close();
  return root.children[0] ?? root;
}

// RFC 822 with a year of four digits: https://www.rssboard.org/rss-specification#requiredChannelElements
const date =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d (GMT|[+-]\d{4})$/;
const types: Record<string, string> = { jpg: "image/jpeg", png: "image/png", webp: "image/webp", mp3: "audio/mpeg" };

interface Files {
  origin: string;
  /** Bytes of a file of the site; null without it. */
  getSize(path: string): number | null;
}

/** Returns what is wrong with an RSS 2.0 feed: https://www.rssboard.org/rss-specification and its profile. */
export function findRssFaults(xml: string, self: string, { origin, getSize }: Files): string[] {
  const rss = parseXml(xml);
  const [channel] = rss.children;
  if (rss.name !== "rss" || rss.attributes.version !== "2.0" || channel?.name !== "channel") return ["is no RSS 2.0"];
  const find = ({ children }: Element, name: string) => children.find((child) => child.name === name);
  const getText = (of: Element, name: string) => find(of, name)?.text.trim() ?? "";
  const isOwn = (url: string) => url.startsWith(`${origin}/`);
  const faults: string[] = [];
  const check = (isRight: unknown, fault: string) => void (isRight || faults.push(fault));
  for (const name of ["title", "link", "description"]) check(getText(channel, name), `channel has no ${name}`);
  check(/^[a-z]{2}-[A-Z]{2}$/.test(getText(channel, "language")), "channel has no language");
  check(isOwn(getText(channel, "link")), "channel's link is not absolute");
  const own = find(channel, "atom:link")?.attributes;
  check(own?.rel === "self" && own.href === self, `channel does not name itself, ${self}`);
  const guids = new Set<string>();
  for (const item of channel.children.filter(({ name }) => name === "item")) {
    const guid = getText(item, "guid");
    const fail = (isRight: unknown, fault: string) => check(isRight, `item ${guid}: ${fault}`);
    for (const name of ["title", "link", "description", "guid"]) fail(getText(item, name), `no ${name}`);
    fail(isOwn(getText(item, "link")), "its link is not absolute");
    fail(find(item, "guid")?.attributes.isPermaLink !== "false" && isOwn(guid), "its guid is no permanent link");
    fail(!guids.has(guid), "its guid is there twice");
    guids.add(guid);
    const published = getText(item, "pubDate");
    fail(
      date.test(published) && new Date(published).toUTCString().slice(0, 3) === published.slice(0, 3),
      `no date: ${published}`,
    );
    const pictures = item.children.filter(({ name }) => name === "media:content" || name === "enclosure");
    fail(pictures.length > 0, "no picture");
    for (const { name, attributes } of pictures) {
      const { url = "", type = "", length, fileSize = length } = attributes;
      const size = isOwn(url) ? getSize(new URL(url).pathname) : null;
      fail(size !== null, `${url} does not exist`);
      fail(types[url.slice(url.lastIndexOf(".") + 1)] === type, `${url} is not ${type}`);
      fail(name !== "enclosure" || length !== undefined, `${url} has no length`);
      fail(fileSize === undefined || Number(fileSize) === size, `${url} has ${size} bytes, not ${fileSize}`);
    }
  }
  return faults;
}

const once = ["uid", "dtstamp", "dtstart", "dtend", "summary", "sequence", "status", "url"];

/** Returns what is wrong with a calendar of shows: https://www.rfc-editor.org/rfc/rfc5545. */
export function findCalendarFaults(text: string, fewest = 1): string[] {
  const faults: string[] = [];
  const lines = text.split("\r\n");
  if (lines.pop() !== "") faults.push("does not end with a line break");
  for (const [index, line] of lines.entries()) {
    if (/[\n\r]/.test(line)) faults.push(`line ${index + 1} does not end with CRLF`);
    if (Buffer.byteLength(line) > 75) faults.push(`line ${index + 1} has ${Buffer.byteLength(line)} octets`);
  }
  let calendar: ICAL.Component;
  try {
    calendar = new ICAL.Component(ICAL.parse(text));
  } catch (error) {
    return [...faults, `cannot be parsed: ${error instanceof Error ? error.message : error}`];
  }
  const getValue = (of: ICAL.Component, name: string) => String(of.getFirstPropertyValue(name) ?? "");
  if (getValue(calendar, "version") !== "2.0") faults.push("has no VERSION:2.0");
  if (!/^-\/\/[^/]+\/\/[^/]+\/\/EN$/.test(getValue(calendar, "prodid"))) faults.push("has no PRODID that names a product");
  // https://www.rfc-editor.org/rfc/rfc5546#section-3.2.1: what is published has an organizer.
  if (getValue(calendar, "method")) faults.push(`has METHOD ${getValue(calendar, "method")} without ORGANIZER`);
  if (getValue(calendar, "refresh-interval") !== "PT1H") faults.push("has no REFRESH-INTERVAL");
  if (getValue(calendar, "x-wr-timezone") !== "Asia/Shanghai") faults.push("has no X-WR-TIMEZONE");
  const zones = new Set(calendar.getAllSubcomponents("vtimezone").map((zone) => getValue(zone, "tzid")));
  const uids = new Set<string>();
  for (const event of calendar.getAllSubcomponents("vevent")) {
    const uid = getValue(event, "uid");
    const check = (isRight: unknown, fault: string) => void (isRight || faults.push(`${uid}: ${fault}`));
    for (const name of once)
      check(event.getAllProperties(name).length === 1, `has ${event.getAllProperties(name).length} ${name.toUpperCase()}`);
    check(!uids.has(uid), "is there twice");
    uids.add(uid);
    for (const name of ["dtstart", "dtend"]) {
      const zone = event.getFirstProperty(name)?.getFirstParameter("tzid") ?? "";
      check(zones.has(zone), `${name.toUpperCase()} is in ${zone || "no zone"}, which no VTIMEZONE describes`);
    }
    const [start, end] = ["dtstart", "dtend"].map((name) => getValue(event, name));
    check(start && end && start < end, "does not end after it starts");
    check(/^(CONFIRMED|CANCELLED|TENTATIVE)$/.test(getValue(event, "status")), `has the status ${getValue(event, "status")}`);
    check(/^\d{1,10}$/.test(getValue(event, "sequence")), "has no number as SEQUENCE");
    check(URL.canParse(getValue(event, "url")), "has no URL");
  }
  if (uids.size < fewest) faults.push("has no VEVENT");
  if (calendar.getAllSubcomponents().length === 0) faults.push("has no component");
  return faults;
}

const schemas = ["all.xsd", "sitemap.xsd", "image.xsd", "xhtml.xsd"].map((fileName) => ({
  fileName,
  contents: readFileSync(join(import.meta.dirname, "../../fixtures/schemas", fileName), "utf8"),
}));
const [all = "", ...parts] = schemas;

/** Returns what libxml2 says of a sitemap or of an index of sitemaps, by the schemas of sitemaps.org and of Google. */
export async function findSitemapFaults(fileName: string, contents: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName, contents }],
    schema: [all],
    preload: parts,
    maxMemoryPages: 65_536 / 4,
  });
  return errors.map(({ message, loc }) => `${fileName}${loc ? `:${loc.lineNumber}` : ""}: ${message}`);
}
