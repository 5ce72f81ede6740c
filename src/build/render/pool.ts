import { readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { AstroPrerenderer } from "astro";
import type { BuiltPages } from "../built-page.ts";
import { manyPages } from "../compress.ts";
import type { Page, PageCache } from "./cache.ts";
import type { Answer, App, Common, Finishing, Internals, Order } from "./messages.ts";
import { createRenderer } from "./renderer.ts";

/** More threads than these would wait for the main one; each holds all texts. */
const maxThreads = 8;
/** Threads that render, the main one among them. */
export const threadCount = Math.min(availableParallelism(), maxThreads);

/** Orders on their way for each thread, so that it seldom waits for the main one, which renders meanwhile. */
const ordersPerThread = 4;

/** The prefix of Chinese pages that has pages without it beside it. */
const chinese = /^\/zh-CN(?=\/)/;

type Render = (order: Omit<Order, "id">) => Promise<Answer>;
type Paths = Awaited<ReturnType<AstroPrerenderer["getStaticPaths"]>>;

/** Returns the file of a page's address, from the root of the site. */
const toFile = (pathname: string) => `${decodeURI(pathname).slice(1) || "index"}.html`;

/** Returns the page without prefix of each one under `/zh-CN`, of those that show content alone: both together cost little more than one. */
function findTwins(paths: Paths): Map<Paths[number], Paths[number]> {
  const content = new Map(paths.filter(({ cacheKey }) => cacheKey !== undefined).map((path) => [path.pathname, path]));
  const pairs = Array.from(content.values(), (path) => [path, content.get(path.pathname.replace(chinese, ""))] as const);
  return new Map(pairs.flatMap(([path, twin]) => (twin && twin !== path ? [[path, twin]] : [])));
}

/** Renders and finishes pages on all cores. */
export class RenderPool {
  /** Characters of inline styles, before and after. */
  readonly css = { before: 0, after: 0 };
  /** How many pages have been made of the same one with a prefix. */
  derived = 0;
  readonly #pages: BuiltPages;
  readonly #cache: PageCache;
  /** One string for all that are equal. */
  readonly #texts = new Map<string, string>();
  readonly #waiting = new Map<number, { resolve(answer: Answer): void; reject(error: unknown): void }>();
  #threads: Worker[] = [];
  #renderer: ReturnType<typeof createRenderer> | undefined;
  /** The last of what the main thread renders besides pages. */
  #last: Promise<unknown> = Promise.resolve();
  /** How many there were, of which each thread gets its share. */
  #others = 0;
  #orders = 0;
  #failure: unknown;

  /** `pages` is filled with what is rendered, or was before: `cache` has it. */
  constructor(pages: BuiltPages, cache: PageCache) {
    this.#pages = pages;
    this.#cache = cache;
  }

  /** Returns a prerenderer that hands pages to threads, which write them, and leaves the other files to Astro. `dir` is the folder of the site, `origin` its address, and `prepare` runs when the client's code and styles lie there. */
  prerenderer(base: AstroPrerenderer, dir: URL, origin: string, prepare: () => Promise<Finishing>): AstroPrerenderer {
    const dist = fileURLToPath(dir);
    return {
      name: "render-pool",
      setup: async () => {
        const folder = new URL(".prerender/", dir);
        const file = (await readdir(folder)).find((name) => name.startsWith("prerender-entry"));
        if (!file) throw new Error("Astro's renderer is not where it was: src/build/render/pool.ts looks for it");
        const entry = new URL(file, folder).href;
        const { app }: { app: App } = await import(entry);
        const setInternals = app.setInternals.bind(app);
        let internals: Internals | undefined;
        app.setInternals = (own) => {
          internals = own;
          setInternals(own);
        };
        await base.setup?.();
        if (!internals) throw new Error("Astro's renderer has not been given its styles");
        const { pagesByKeys, entrySpecifierToBundleMap } = internals;
        const finishing = await prepare();
        const common: Common = {
          entry,
          dist,
          scripts: app.getSettings().scripts.map(({ stage, content }) => ({ stage, content })),
          styles: new Map([...pagesByKeys].map(([key, { styles }]) => [key, { styles }])),
          bundles: entrySpecifierToBundleMap,
          ...finishing,
        };
        this.#renderer = createRenderer(app, dist, finishing);
        this.#threads = Array.from({ length: threadCount - 1 }, () => this.#startThread(common));
      },
      getStaticPaths: async () => {
        const paths = await base.getStaticPaths();
        await this.#makePages(
          paths.filter(({ route }) => route.type === "page"),
          dist,
          origin,
        );
        return paths.filter(({ route }) => route.type !== "page");
      },
      render: async ({ url }, { routeData: { route, component } }) => {
        const thread = this.#threads[this.#others++ % threadCount];
        const order = { url, route, component };
        const answer = thread ? this.#render(order, thread) : this.#renderLast(order);
        const { body, status, headers } = await answer;
        return new Response(body ?? null, { status: status ?? 200, headers: headers ?? [] });
      },
      teardown: async () => {
        const threads = this.#threads;
        this.#threads = [];
        await Promise.all(threads.map((thread) => thread.terminate()));
        await base.teardown?.();
      },
    };
  }

  /** Renders pages, and takes over those of the site before that stay as they were. */
  async #makePages(paths: Paths, dist: string, origin: string): Promise<void> {
    const isCompressed = paths.length > manyPages;
    const rendered: Paths = [];
    const files = new Set<string>();
    for (const path of paths) {
      const file = toFile(path.pathname);
      if (files.has(file)) throw new Error(`two pages have the address ${path.pathname}`);
      files.add(file);
      const before = path.cacheKey !== undefined && this.#cache.take(dist, file, path.cacheKey, isCompressed);
      if (before) this.#add(file, before);
      else rendered.push(path);
    }
    const toOrder = ({ pathname, route: { route, component } }: Paths[number]) => {
      const file = toFile(pathname);
      return { url: new URL(encodeURI(file), origin).href, route, component, file };
    };
    const twins = findTwins(rendered);
    const makePage = async (path: Paths[number], render: Render) => {
      const twin = twins.get(path);
      const order = { ...toOrder(path), isCompressed, ...(twin && { twin: toOrder(twin) }) };
      const { page, css, shared, twin: twinPage, isDerived } = await render(order);
      this.derived += Number(isDerived ?? false);
      this.#keep(path, { page, css });
      if (twin) this.#keep(twin, { page: twinPage, css });
      if (shared) this.#cache.shared.set(shared.file, shared.text);
    };
    const made = new Set(twins.values());
    const queue = rendered.filter((path) => !made.has(path)).values();
    const work = async (render: Render) => {
      for (const path of queue) await makePage(path, render);
    };
    const lanes = this.#threads.flatMap((thread) =>
      Array.from({ length: ordersPerThread }, () => work((order) => this.#render(order, thread))),
    );
    await Promise.all([...lanes, work((order) => this.#renderHere(order))]);
  }

  /** Renders in the main thread, once it has read what the others have sent. */
  async #renderHere(order: Omit<Order, "id">): Promise<Answer> {
    await setImmediate();
    return this.#render(order, null);
  }

  /** Renders in the main thread when all before is done, as the other threads do: search index and feeds each hold all texts. */
  #renderLast(order: Omit<Order, "id">): Promise<Answer> {
    const answer = this.#last.then(() => this.#renderHere(order));
    this.#last = answer.catch(() => null);
    return answer;
  }

  #keep({ pathname, cacheKey }: Paths[number], page: Page): void {
    const file = toFile(pathname);
    this.#add(file, page);
    if (cacheKey !== undefined) this.#cache.add(file, cacheKey, page);
  }

  /** Returns one string for all that are equal: thousands of pages have the same policy and pictures. */
  #share(text: string): string {
    const shared = this.#texts.get(text) ?? text;
    this.#texts.set(text, shared);
    return shared;
  }

  #add(file: string, { page, css }: Page): void {
    const shareAll = (texts: string[]) => texts.map((text) => this.#share(text));
    if (page)
      this.#pages.set(file, {
        ...page,
        policy: this.#share(page.policy),
        pictures: shareAll(page.pictures),
        audio: shareAll(page.audio),
        images: shareAll(page.images),
      });
    this.css.before += css?.before ?? 0;
    this.css.after += css?.after ?? 0;
  }

  #startThread(common: Common): Worker {
    const thread = new Worker(new URL("./renderer.ts", import.meta.url), { workerData: common });
    thread.on("message", ({ id, ...answer }: Answer) => {
      const order = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (answer.error === undefined) order?.resolve({ id, ...answer });
      else order?.reject(answer.error);
    });
    thread.once("error", (error) => this.#fail(error));
    thread.once("exit", (status) => {
      if (this.#threads.includes(thread)) this.#fail(new Error(`a thread that renders pages ended with status ${status}`));
    });
    return thread;
  }

  /** A thread has ended: its pages would be waited for without end. */
  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }

  /** Renders in a thread, else here. */
  #render(order: Omit<Order, "id">, thread: Worker | null): Promise<Answer> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = this.#orders++;
    if (!thread && this.#renderer) return this.#renderer({ id, ...order });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      thread?.postMessage({ id, ...order } satisfies Order);
    });
  }
}
