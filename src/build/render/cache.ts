import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { awaitsServerVariable, placeFile, withoutNewCardsVariable } from "../files.ts";
import type { Answer } from "./messages.ts";

const sources = ["src", "i18n", "astro.config.mjs", "tailwind.config.mjs", "package-lock.json"];
/** Variables of which pages show nothing. */
const unseen = new Set(["BUILD_API_ORIGIN", awaitsServerVariable, withoutNewCardsVariable]);
/** The demo's shop. */
const content = /^src\/content\/.*(?<!\.ts)$/;

/**
 * Returns a hash of all that decides how content becomes a page, but the content itself. Of the server, whether there is one: its address is in no page, and
 * `npm run publish` starts it on any port.
 */
export async function toBuildKey(root: string, ...others: string[]): Promise<string> {
  const hash = createHash("sha256").update([process.version, ...others].join("\0"));
  hash.update(process.env.BUILD_API_ORIGIN ? "with a server\0" : "without a server\0");
  for (const name of Object.keys(process.env).sort())
    if (/^(PUBLIC_|BUILD_)/.test(name) && !unseen.has(name)) hash.update(`${name}=${process.env[name]}\0`);
  for (const source of sources) {
    const entries = await readdir(join(root, source), { recursive: true, withFileTypes: true }).catch(() => null);
    const files = entries?.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)) ?? [];
    for (const file of entries ? files.sort() : [join(root, source)]) {
      const name = file.slice(root.length);
      if (!content.test(name)) hash.update(`${name}\0`).update(await readFile(file));
    }
  }
  return hash.digest("hex");
}

/** What the build knows of a finished page. */
export type Page = Pick<Answer, "page" | "css">;

interface Stored extends Page {
  /** Hash of what the page shows of the content. */
  key: string;
}
/** The first line of the file that describes the pages; each other line has one of them, and its file. */
interface Manifest {
  /** The build that they belong to. */
  id: string;
  /** Its `toBuildKey`. */
  key: string;
  shared: [file: string, text: string][];
}

/** Characters of the file that are made at once. */
const partLength = 1_000_000;

const toHash = (key: string) => createHash("sha256").update(key).digest("base64url").slice(0, 24);

/** The pages of the site before which state what of the content they show, by the `cacheKey` of `getStaticPaths`. Those that show the same again are not rendered. */
export class PageCache {
  readonly #file: string;
  readonly #site: string;
  #key = "";
  readonly #before = new Map<string, Stored>();
  readonly #pages = new Map<string, Omit<Stored, "page">>();
  /** Script files that several pages share, by path. */
  readonly shared = new Map<string, string>();

  /** `file` describes the pages of the site before, which lies in the folder `site`. */
  constructor(file: string, site: string) {
    this.#file = file;
    this.#site = site;
  }

  /** Takes pages of a site with this key alone. */
  async open(key: string): Promise<void> {
    this.#key = key;
    const { id } = JSON.parse(await readFile(join(this.#site, "build.json"), "utf8").catch(() => "{}"));
    const manifest = id && (await open(this.#file).catch(() => null));
    if (!manifest) return;
    let isFirst = true;
    for await (const line of manifest.readLines()) {
      if (isFirst) {
        const before: Manifest = JSON.parse(line);
        if (before.id !== id || before.key !== key) return;
        for (const [file, text] of before.shared) this.shared.set(file, text);
      } else {
        const [file, stored]: [string, Stored] = JSON.parse(line);
        this.#before.set(file, stored);
      }
      isFirst = false;
    }
  }

  /** Puts a page of the site before into the new one, compressed if asked for, with its card, which its rendering describes; returns null when it may be another one now. */
  take(dist: string, file: string, key: string, isCompressed: boolean): Page | null {
    const stored = this.#before.get(file);
    if (stored?.key !== toHash(key)) return null;
    const put = (name: string) => placeFile(join(this.#site, name), join(dist, name));
    for (const name of [...(stored.page?.cards ?? []), file]) if (!put(name)) return null;
    if (isCompressed) put(`${file}.br`);
    this.#before.delete(file);
    this.add(file, key, stored);
    return stored;
  }

  add(file: string, key: string, { css }: Page): void {
    this.#pages.set(file, { key: toHash(key), ...(css && { css }) });
  }

  /** Describes the pages for the next build; `toPage` returns what the build knows of one by now. */
  async save(id: string, toPage: (file: string) => Page["page"]): Promise<void> {
    const manifest: Manifest = { id, key: this.#key, shared: [...this.shared] };
    const pages = this.#pages;
    // In parts, as all of it would be large.
    function* format() {
      let part = `${JSON.stringify(manifest)}\n`;
      for (const [file, stored] of pages) {
        part += `${JSON.stringify([file, { ...stored, page: toPage(file) }])}\n`;
        if (part.length < partLength) continue;
        yield part;
        part = "";
      }
      yield part;
    }
    await mkdir(dirname(this.#file), { recursive: true });
    await writeFile(this.#file, format());
  }
}
