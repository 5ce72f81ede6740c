import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Locale } from "../../i18n/locale.ts";
import { inspectPicture, type PictureFault } from "./picture/inspect.ts";
import { describePoster } from "./picture/poster.ts";
import type { PictureFacts, PosterSpec } from "./picture/record.ts";
import type { Picture } from "./shop.ts";

/** A picture as a file names it. */
interface NamedPicture {
  file: string;
  alt: string;
}

/** Where pictures are looked for, and where faults go. */
export interface TextContext {
  id: string;
  locale: Locale;
  /** The text's file, relative to the shop's folder. */
  file: string;
  pictures: PictureReader;
}

/** Reads each picture of a shop once. */
export class PictureReader {
  readonly #folder: string;
  readonly #cache: string | undefined;
  readonly #report: (fault: string) => void;
  readonly #read = new Map<string, Promise<PictureFacts | PictureFault>>();

  constructor(folder: string, cache: string | undefined, report: (fault: string) => void) {
    this.#folder = folder;
    this.#cache = cache;
    this.#report = report;
  }

  /** Returns a picture's facts. What is wrong with it is reported once. */
  async read(textFile: string, field: string, name: string): Promise<PictureFacts | null> {
    const path = posix.join(posix.dirname(textFile), name);
    const before = this.#read.get(path);
    const reading = before ?? this.#inspect(path);
    this.#read.set(path, reading);
    const facts = await reading;
    if (!("fault" in facts)) return facts;
    if (!before) this.#report(`${textFile}: ${field}: ${name} ${facts.fault}`);
    return null;
  }

  async #inspect(path: string): Promise<PictureFacts | PictureFault> {
    if (path.startsWith("../")) return { fault: "lies outside the shop's folder: put it beside the text, such as: cover.jpg" };
    return inspectPicture(join(this.#folder, path), this.#cache);
  }

  /** Returns the source of an SVG that `read` has checked. */
  readSource(textFile: string, name: string): string {
    return readFileSync(join(this.#folder, posix.dirname(textFile), name), "utf8").replace(/^\uFEFF/, "");
  }

  /** Returns the paths, relative to the shop's folder, of all pictures that a text names. */
  get paths(): ReadonlySet<string> {
    return new Set(this.#read.keys());
  }

  describePoster(spec: PosterSpec): Promise<PictureFacts> {
    return describePoster(spec, this.#cache);
  }
}

/** Stands for a picture that cannot be read, whose fault fails the whole. */
const unreadable: Picture = { url: "", width: 1, height: 1, alt: "" };

/** Gives a picture its address and size. */
export async function resolvePicture({ file, alt }: NamedPicture, field: string, context: TextContext): Promise<Picture> {
  const facts = await context.pictures.read(context.file, field, file);
  return facts ? { url: facts.url, width: facts.width, height: facts.height, alt } : unreadable;
}

/** Gives a picture its address, and the source of an SVG, whose colours can follow the page's. */
export async function resolveLettering(picture: NamedPicture, field: string, context: TextContext) {
  const resolved = await resolvePicture(picture, field, context);
  const svg = resolved.url.endsWith(".svg") ? context.pictures.readSource(context.file, picture.file) : undefined;
  return { ...resolved, svg };
}

interface WithPictures {
  title: string;
  cover?: NamedPicture | undefined;
  pictures?: NamedPicture[] | undefined;
}

/** Gives the pictures of a text their addresses; without a cover it gets a typographic poster. */
export async function resolvePictures<Fields extends WithPictures>(
  { cover, pictures = [], ...rest }: Fields,
  context: TextContext,
  poster: Pick<PosterSpec, "kind" | "date" | "location" | "by">,
) {
  const { id, locale } = context;
  const resolved: Picture[] = [];
  for (const [index, picture] of pictures.entries())
    resolved.push(await resolvePicture(picture, `pictures ${index + 1}`, context));
  return { ...rest, cover: cover ? await resolvePicture(cover, "cover", context) : await drawCover(), pictures: resolved };

  async function drawCover(): Promise<Picture & { isPoster?: true }> {
    const { url, width, height } = await context.pictures.describePoster({ ...poster, id, locale, title: rest.title });
    return { url, width, height, alt: rest.title, isPoster: true };
  }
}
