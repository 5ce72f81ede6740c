import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { placeFile } from "../files.ts";
import type { Answer } from "./messages.ts";

const sources = ["src", "i18n", "astro.config.mjs", "tailwind.config.mjs", "package-lock.json"];
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
    if (/^(PUBLIC_|BUILD_(?!API_ORIGIN$))/.test(name)) hash.update(`${name}=${process.env[name]}\0`);
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
interface Manifest {
  /** The build that they belong to. */
  id: string;
  /** Its `toBuildKey`. */
  key: string;
  pages: Record<string, Stored>;
  shared: [file: string, text: string][];
}

const toHash = (key: string) => createHash("sha256").update(key).digest("base64url").slice(0, 24);

/** The pages of the site before which state what of the content they show, by the `cacheKey` of `getStaticPaths`. Those that show the same again are not rendered. */
export class PageCache {
  readonly #file: string;
  readonly #site: string;
  #key = "";
  #before: Manifest["pages"] = {};
  readonly #pages: Manifest["pages"] = {};
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
    const read = (file: string) => readFile(file, "utf8").catch(() => "{}");
    const { id } = JSON.parse(await read(join(this.#site, "build.json")));
    const before: Partial<Manifest> = JSON.parse(await read(this.#file));
    if (!before.pages || before.id !== id || before.key !== key) return;
    this.#before = before.pages;
    for (const [file, text] of before.shared ?? []) this.shared.set(file, text);
  }

  /** Puts a page of the site before into the new one, compressed if asked for, with its card, which its rendering describes; returns null when it may be another one now. */
  async take(dist: string, file: string, key: string, isCompressed: boolean): Promise<Page | null> {
    const stored = this.#before[file];
    if (stored?.key !== toHash(key)) return null;
    const put = (name: string) => placeFile(join(this.#site, name), join(dist, name));
    for (const name of [...(stored.page?.cards ?? []), file]) if (!(await put(name))) return null;
    if (isCompressed) await put(`${file}.br`);
    this.#pages[file] = stored;
    return stored;
  }

  add(file: string, key: string, page: Page): void {
    this.#pages[file] = { ...page, key: toHash(key) };
  }

  /** Describes the pages for the next build; `toPage` returns what has become of one since. */
  async save(id: string, toPage: (file: string) => Page["page"]): Promise<void> {
    const pages = Object.entries(this.#pages).map(([file, stored]) => [file, { ...stored, page: toPage(file) }]);
    await mkdir(dirname(this.#file), { recursive: true });
    const manifest: Manifest = { id, key: this.#key, pages: Object.fromEntries(pages), shared: [...this.shared] };
    await writeFile(this.#file, JSON.stringify(manifest));
  }
}
