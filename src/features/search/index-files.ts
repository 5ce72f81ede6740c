import { chunkSize, parseResults, type SearchManifest, type SearchResult, search, searchPaths } from "#src/lib/search.ts";

/** Milliseconds until a file counts as failed. */
const timeout = 15_000;

export interface Found {
  count: number;
  results: SearchResult[];
}

/** Loads the files of a language's index, each once. */
export class IndexFiles {
  readonly #locale: string;
  readonly #files = new Map<string, Promise<string>>();

  constructor(locale: string) {
    this.#locale = locale;
  }

  /** Loads the manifest ahead of the first query, whose failure it leaves to that. */
  prepare(): void {
    this.#readManifest().catch(() => {});
  }

  /** Returns what a query finds, by group, the best first: how many texts, and the results of the first `limits` of them. */
  find(query: string, limits: readonly number[]): Promise<Found[]> {
    return this.#run(async ({ folder, shards, counts }) => {
      const found = await search(query, shards, (index) => this.#load(searchPaths.shard(folder, index)));
      let end = 0;
      return Promise.all(
        counts.map(async (count, group) => {
          const start = end;
          end += count;
          const own = found.filter((text) => text >= start && text < start + count);
          const first = own.slice(0, limits[group]);
          return { count: own.length, results: await Promise.all(first.map((text) => this.#read(folder, text))) };
        }),
      );
    });
  }

  async #read(folder: string, text: number): Promise<SearchResult> {
    const chunk = await this.#load(searchPaths.chunk(folder, Math.floor(text / chunkSize)));
    const result = parseResults(chunk)[text % chunkSize];
    if (!result) throw new Error(`${folder} has no text ${text}`);
    return result;
  }

  async #run<Result>(use: (manifest: SearchManifest) => Promise<Result>): Promise<Result> {
    const manifest = await this.#readManifest();
    try {
      return await use(manifest);
    } catch (error) {
      // The index of a newer build has another folder.
      this.#files.delete(searchPaths.manifest(this.#locale));
      const newer = await this.#readManifest();
      if (newer.folder === manifest.folder) throw error;
      return use(newer);
    }
  }

  async #readManifest(): Promise<SearchManifest> {
    return JSON.parse(await this.#load(searchPaths.manifest(this.#locale), { cache: "no-cache" }));
  }

  #load(path: string, init?: RequestInit): Promise<string> {
    const file = this.#files.get(path) ?? load(path, init);
    this.#files.set(path, file);
    // The next query tries again.
    file.catch(() => this.#files.delete(path));
    return file;
  }
}

async function load(path: string, init?: RequestInit): Promise<string> {
  const response = await fetch(path, { ...init, signal: AbortSignal.timeout(timeout) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}
