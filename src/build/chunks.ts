import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/** Matches module ids: packages (`react/`), files of the repository (with their extension), and any other text that an id contains. */
function match(...paths: string[]): RegExp {
  const alternatives = paths.map((path) => {
    const text = path.replaceAll(".", "\\.").replaceAll("/", "[\\\\/]");
    if (path.endsWith("/")) return `node_modules[\\\\/]${text}`;
    return /\.tsx?$/.test(path) ? `[\\\\/]${text}$` : text;
  });
  return new RegExp(alternatives.join("|"));
}

/**
 * Chunks of what several pages need: a chunk has the modules that match, and what those import unless an earlier one has it. Without them the bundler makes some
 * thirty small chunks more, which compress badly and cost a name on every page. Readers load `base` alone.
 */
export const chunkGroups = [
  {
    name: "react",
    test: match("react/", "react-dom/", "scheduler/", "@astrojs/react/", "@nanostores/react/", "rolldown/runtime"),
  },
  { name: "nanostores", test: match("nanostores/") },
  { name: "base", test: match("vite/preload-helper", "src/client/main.ts", "src/api/fetch-public.ts") },
  {
    name: "calls",
    test: match("valibot/", "ofetch/", "@nanostores/persistent/", "src/api/client.ts", "src/api/problem.ts", "src/routes.ts"),
  },
  {
    name: "island",
    test: match("src/ui/Island.tsx", "src/lib/use-store.ts", "src/ui/ResourceView.tsx", "src/lib/resource.ts"),
  },
];

/** The client build: which chunks a chunk imports, and which modules a page may run. */
export class Chunks {
  /** By file. Those that pages name have an entry. */
  readonly #chunks = new Map<string, { imports: string[]; entry: string | null }>();
  /** By id. Of modules that the bundler left out there is no code. */
  readonly #modules = new Map<string, { imports: readonly string[]; code: string }>();

  /** Records the client build. */
  plugin(): Plugin {
    const chunks = this.#chunks;
    const modules = this.#modules;
    return {
      name: "record-chunks",
      applyToEnvironment: (environment) => environment.name === "client",
      generateBundle(_, bundle) {
        const code = new Map<string, string | null>();
        for (const [file, output] of Object.entries(bundle)) {
          if (output.type !== "chunk") continue;
          chunks.set(file, { imports: output.imports, entry: output.facadeModuleId });
          for (const [id, module] of Object.entries(output.modules)) code.set(id, module.code);
        }
        for (const id of this.getModuleIds()) {
          const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
          modules.set(id, { imports: [...importedIds, ...dynamicallyImportedIds], code: code.get(id) ?? "" });
        }
      },
    };
  }

  /** Returns a hash of all client code, from the chunk names, which carry content hashes. */
  id(): string {
    return createHash("sha256")
      .update([...this.#chunks.keys()].sort().join())
      .digest("hex")
      .slice(0, 16);
  }

  /** Returns the transitive static imports of chunks, without the chunks themselves, as URLs. */
  dependencies(urls: string[]): string[] {
    const files = urls.map(toFile);
    const all = findReachable(files, (file) => this.#chunks.get(file)?.imports ?? []);
    return [...all].filter((file) => !files.includes(file)).map((file) => `/${file}`);
  }

  /** Returns the code of all modules of our own that a page with the URLs of these entries may run. */
  reachable(urls: string[]): string[] {
    const entries = urls.flatMap((url) => this.#chunks.get(toFile(url))?.entry ?? []);
    const ids = findReachable(entries, (id) => this.#modules.get(id)?.imports ?? []);
    // React's code holds none of our class names, but nearly every element and attribute.
    return [...ids].filter((id) => !id.includes("node_modules")).map((id) => this.#modules.get(id)?.code ?? "");
  }
}

function findReachable(from: readonly string[], next: (of: string) => readonly string[]): Set<string> {
  const found = new Set(from);
  // A set that grows while it is read is read to its end.
  for (const one of found) for (const other of next(one)) found.add(other);
  return found;
}

function toFile(url: string): string {
  return url.replace(/^\//, "").replace(/[?#].*$/, "");
}
