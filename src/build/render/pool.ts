import { readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { AstroPrerenderer } from "astro";
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
type Finishing = Pick<Common, "chunks" | "code" | "sheets">;

interface Finished {
  /** Script files that several pages share, by path. */
  shared: Map<string, string>;
  /** Characters of inline styles, before and after. */
  css: { before: number; after: number };
}

/** Renders and finishes pages on all cores. */
export class RenderPool {
  readonly finished: Finished = { shared: new Map(), css: { before: 0, after: 0 } };
  readonly #waiting = new Map<number, { resolve(answer: Answer): void; reject(error: unknown): void }>();
  #threads: Worker[] = [];
  #orders = 0;

  /** Returns a prerenderer that hands pages to threads. `dir` is the folder of the site, and `prepare` runs when the client's code and styles lie there. */
  prerenderer(base: AstroPrerenderer, dir: URL, prepare: () => Promise<Finishing>): AstroPrerenderer {
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
      getStaticPaths: () => base.getStaticPaths(),
      render: async (request, { routeData }) => {
        const { route, component } = routeData;
        const answer = await this.#render({ id: this.#orders++, url: request.url, route, component });
        if (answer.shared) this.finished.shared.set(answer.shared.file, answer.shared.text);
        this.finished.css.before += answer.css?.before ?? 0;
        this.finished.css.after += answer.css?.after ?? 0;
        return new Response(answer.body ?? null, { status: answer.status ?? 200, headers: answer.headers ?? [] });
      },
      teardown: async () => {
        await Promise.all(this.#threads.map((thread) => thread.terminate()));
        await base.teardown?.();
      },
    };
  }

  #startThread(common: Common): Worker {
    const thread = new Worker(new URL("./worker.ts", import.meta.url), { workerData: common });
    thread.on("message", (answer: Answer) => {
      const order = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (answer.error === undefined) order?.resolve(answer);
      else order?.reject(answer.error);
    });
    thread.on("error", (error) => {
      for (const { reject } of this.#waiting.values()) reject(error);
    });
    return thread;
  }

  #render(order: Order): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(order.id, { resolve, reject });
      this.#threads[order.id % this.#threads.length]?.postMessage(order);
    });
  }
}
