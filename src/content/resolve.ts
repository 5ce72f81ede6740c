import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Locale } from "#i18n/locale.ts";
import { removeEmoji } from "#src/lib/emoji.ts";
import type { AudioFacts } from "./audio/inspect.ts";
import { inspectPicture } from "./picture/inspect.ts";
import { describePoster } from "./picture/poster.ts";
import type { PictureFacts, PosterSpec } from "./picture/record.ts";
import type { Audio, Picture, Pictures } from "./shop.ts";
import { isOutside } from "./shop-files.ts";

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
  audio: FileReader<AudioFacts>;
}

/** Where faults and advice go. */
export interface Reports {
  report: (fault: string) => void;
  advise: (advice: string) => void;
}

type Inspect<Facts> = (path: string) => Promise<(Facts & { advice?: string }) | { fault: string }>;

/** Reads each file of a shop once that its texts name. */
export class FileReader<Facts extends object> {
  readonly folder: string;
  readonly #inspect: Inspect<Facts>;
  readonly #reports: Reports;
  readonly #read = new Map<string, ReturnType<Inspect<Facts>>>();
  readonly #reported = new Set<string>();

  constructor(folder: string, inspect: Inspect<Facts>, reports: Reports) {
    this.folder = folder;
    this.#inspect = inspect;
    this.#reports = reports;
  }

  /** Returns a file's facts. What is wrong with it, or may be, is reported once for each field and line that names it: languages share fields. */
  async read(textFile: string, field: string, name: string): Promise<Facts | null> {
    const path = posix.join(posix.dirname(textFile), name);
    const reading = this.#read.get(path) ?? this.#readFirst(path);
    this.#read.set(path, reading);
    const facts = await reading;
    const source = `${path} ${field}${field.startsWith("line ") ? textFile : ""}`;
    const toSentence = (message: string) => `${textFile}: ${field}: ${name} ${message}`;
    const isFirst = !this.#reported.has(source);
    this.#reported.add(source);
    if (isFirst && "fault" in facts) this.#reports.report(toSentence(facts.fault));
    else if (isFirst && "advice" in facts && facts.advice) this.#reports.advise(toSentence(facts.advice));
    return "fault" in facts ? null : facts;
  }

  async #readFirst(path: string): ReturnType<Inspect<Facts>> {
    if (path.startsWith("../") || isOutside(this.folder, this.toPath(path)))
      return { fault: `lies outside the shop's folder: put it beside the text, such as: ${posix.basename(path)}` };
    return this.#inspect(this.toPath(path));
  }

  protected toPath(path: string): string {
    return join(this.folder, path);
  }

  /** Returns the paths, relative to the shop's folder, of all files that a text names. */
  get paths(): ReadonlySet<string> {
    return new Set(this.#read.keys());
  }
}

/** Reads each picture of a shop once. */
export class PictureReader extends FileReader<PictureFacts> {
  readonly #cache: string | undefined;

  constructor(folder: string, cache: string | undefined, reports: Reports) {
    const inspected = new Map<string, PictureFacts>();
    super(folder, (path) => inspectPicture(path, cache, inspected), reports);
    this.#cache = cache;
  }

  /** Returns the source of an SVG that `read` has checked. */
  readSource(textFile: string, name: string): string {
    return readFileSync(this.toPath(posix.join(posix.dirname(textFile), name)), "utf8").replace(/^\uFEFF/, "");
  }

  /** Describes a poster, whose fonts have no emoji. */
  describePoster({ title, by, location, ...spec }: PosterSpec): Promise<PictureFacts> {
    const words = { title: removeEmoji(title), by: by && removeEmoji(by), location: location && removeEmoji(location) };
    return describePoster({ ...spec, ...words }, this.#cache);
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
  poster: Pick<PosterSpec, "kind" | "date" | "location" | "by" | "letter">,
) {
  const { id, locale } = context;
  const resolved: Picture[] = [];
  for (const [index, picture] of pictures.entries())
    resolved.push(await resolvePicture(picture, `pictures ${index + 1}`, context));
  return { ...rest, cover: cover ? await resolvePicture(cover, "cover", context) : await drawCover(), pictures: resolved };

  async function drawCover(): Promise<Pictures["cover"]> {
    const draw = async (title: string) => {
      const { url, width, height } = await context.pictures.describePoster({ ...poster, id, locale, title });
      return { url, width, height };
    };
    const bare = poster.kind === "news" || poster.kind === "campaign" ? { bare: await draw("") } : {};
    return { ...(await draw(rest.title)), alt: rest.title, isPoster: true, ...bare };
  }
}

interface WithAudio {
  audio?: { title: string; file: string }[] | undefined;
}

/** Gives the previews of a text their addresses, lengths and waveforms. */
export async function resolveAudio<Fields extends WithAudio>({ audio, ...rest }: Fields, context: TextContext) {
  if (!audio) return rest;
  const resolved: Audio[] = [];
  for (const [index, { title, file }] of audio.entries()) {
    const facts = await context.audio.read(context.file, `audio ${index + 1}`, file);
    // What cannot be read fails the whole.
    if (facts) resolved.push({ title, url: facts.url, seconds: facts.seconds, peaks: facts.peaks });
  }
  return { ...rest, audio: resolved };
}
