import { readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { AstroPrerenderer } from "astro";
import type { BuiltPages } from "../built-page.ts";
import { forEach } from "../files.ts";
import type { Page, PageCache } from "./cache.ts";
import type { Answer, Common, Order } from "./messages.ts";

/** More threads than these would wait for the one that writes; each holds all texts. */
const maxThreads = 8;
export const threadCount = Math.min(availableParallelism(), maxThreads);

/** The part of Astro's renderer that threads of their own need. */
interface Renderer {
  app: {
    setInternals(internals: Internals): void;
    getSettings(): { scripts: Common["scripts"] };
  };
}
interface Internals {
  pagesByKeys: ReadonlyMap<string, { styles: object[] }>;
  entrySpecifierToBundleMap: Common["bundles"];
}

/** What threads have from us. */
export type Finishing = Pick<Common, "chunks" | "code" | "sheets">;

/** Returns the file of a page's address, from the root of the site. */
const toFile = (pathname: string) => `${decodeURI(pathname.replace(/\.html$/, "")).slice(1) || "index"}.html`;

/** Renders and finishes pages on all cores. */
export class RenderPool {
  /** Characters of inline styles, before and after. */
  readonly css = { before: 0, after: 0 };
  readonly #pages: BuiltPages;
  readonly #cache: PageCache;
  readonly #waiting = new Map<number, { resolve(answer: Answer): void; reject(error: unknown): void }>();
  #threads: Worker[] = [];
  #orders = 0;
  #failure: unknown;

  /** `pages` is filled with what is rendered, or was before: `cache` has it. */
  constructor(pages: BuiltPages, cache: PageCache) {
    this.#pages = pages;
    this.#cache = cache;
  }

  /** Returns a prerenderer that hands pages to threads. `dir` is the folder of the site, and `prepare` runs when the client's code and styles lie there. */
  prerenderer(base: AstroPrerenderer, dir: URL, prepare: () => Promise<Finishing>): AstroPrerenderer {
    const keys = new Map<string, string>();
    return {
      name: "render-pool",
      setup: async () => {
        const folder = new URL(".prerender/", dir);
        const file = (await readdir(folder)).find((name) => name.startsWith("prerender-entry"));
        if (!file) throw new Error("Astro's renderer is not where it was: src/build/render/pool.ts looks for it");
        const entry = new URL(file, folder).href;
        const { app }: Renderer = await import(entry);
        const setInternals = app.setInternals.bind(app);
        let internals: Internals | undefined;
        app.setInternals = (own) => {
          internals = own;
          setInternals(own);
        };
        await base.setup?.();
        if (!internals) throw new Error("Astro's renderer has not been given its styles");
        const { pagesByKeys, entrySpecifierToBundleMap } = internals;
        const common: Common = {
          entry,
          scripts: app.getSettings().scripts.map(({ stage, content }) => ({ stage, content })),
          styles: new Map([...pagesByKeys].map(([key, { styles }]) => [key, { styles }])),
          bundles: entrySpecifierToBundleMap,
          ...(await prepare()),
        };
        this.#threads = Array.from({ length: threadCount }, () => this.#startThread(common));
      },
      getStaticPaths: async () => {
        const paths = await base.getStaticPaths();
        for (const { pathname, cacheKey } of paths) if (cacheKey !== undefined) keys.set(toFile(pathname), cacheKey);
        await forEach([...keys], async ([file, key]) => {
          const before = await this.#cache.take(fileURLToPath(dir), file, key);
          if (before) this.#add(file, before);
        });
        return paths.filter(({ pathname }) => !this.#pages.has(toFile(pathname)));
      },
      render: async (request, { routeData }) => {
        const { route, component } = routeData;
        const file = toFile(new URL(request.url).pathname);
        const { page, css, shared, body, status, headers } = await this.#render({
          id: this.#orders++,
          url: request.url,
          route,
          component,
        });
        this.#add(file, { page, css });
        if (shared) this.#cache.shared.set(shared.file, shared.text);
        const key = keys.get(file);
        if (key !== undefined) this.#cache.add(file, key, { page, css });
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

  #add(file: string, { page, css }: Page): void {
    if (page) this.#pages.set(file, page);
    this.css.before += css?.before ?? 0;
    this.css.after += css?.after ?? 0;
  }

  #startThread(common: Common): Worker {
    const thread = new Worker(new URL("./worker.ts", import.meta.url), { workerData: common });
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

  #render(order: Order): Promise<Answer> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.set(order.id, { resolve, reject });
      this.#threads[order.id % this.#threads.length]?.postMessage(order);
    });
  }
}
