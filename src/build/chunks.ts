import { createHash } from "node:crypto";
import type { Plugin } from "vite";

interface Chunk {
  imports: string[];
  dynamicImports: string[];
  code: string;
  /** React's code holds none of our class names, but nearly every element and attribute. */
  isReact: boolean;
}

/**
 * Manual chunk groups. Keep nanostores and the preload helper out of `react`: otherwise every plain script downloads React.
 * Groups also merge small chunks, which compress badly and cost a name on every page.
 */
export const chunkGroups = [
  {
    name: "react",
    test: /node_modules[\\/](react|react-dom|scheduler|@astrojs[\\/]react|@nanostores[\\/]react)[\\/]|rolldown[\\/]runtime/,
  },
  {
    name: "island",
    test: /[\\/]src[\\/](ui[\\/](Island|Button|Failed|Empty)|lib[\\/](use-store|replay-interactions))\.tsx?$|~icons[\\/]lucide[\\/](arrow-left|arrow-right|plus|triangle-alert)\b/,
  },
  { name: "nanostores", test: /node_modules[\\/]nanostores[\\/]/ },
  {
    name: "base",
    test: /vite[\\/]preload-helper|[\\/](src[\\/](client[\\/]color-mode|api[\\/](errors|envelope|fetch-public|headers|paths|tab-storage)|lib[\\/](first-paint|when-idle|on-return))|i18n[\\/]locale)\.ts$/,
  },
  { name: "revalidate", test: /[\\/]src[\\/](lib[\\/]hydrate-when-stale|features[\\/](goods|package)[\\/]render-key)\.ts$/ },
  {
    name: "calls",
    test: /node_modules[\\/](valibot|ofetch|@nanostores[\\/]persistent)[\\/]|ofetch-replacements|[\\/](src[\\/](api[\\/](client|call|field|order-quantity|package-level|problem|storage|session)|features[\\/]session[\\/]store|lib[\\/](reset-failure|resource|stale-while-revalidate|new-id|poster|format))|i18n[\\/]catalogue)\.ts$/,
  },
  {
    name: "form",
    test: /[\\/]src[\\/](ui[\\/](SkeletonLines|Dialog|Field|FieldFrame|Notice|Tag)|[\w\\/]+[\\/]address-line)\.tsx?$/,
  },
  {
    name: "order",
    test: /[\\/]src[\\/](ui[\\/](LineItems|ProductImage)|api[\\/]order-status|lib[\\/](server-clock|use-countdown))\.tsx?$/,
  },
  { name: "goods", test: /[\\/]src[\\/](api[\\/]goods|features[\\/]goods[\\/]card)\.ts$/ },
];

/** The import graph of the browser's chunks, once they are written. */
export class Chunks {
  readonly #chunks = new Map<string, Chunk>();

  /** Records the chunks of the client build. */
  plugin(): Plugin {
    return {
      name: "record-chunks",
      applyToEnvironment: (environment) => environment.name === "client",
      generateBundle: (_, bundle) => {
        for (const [file, output] of Object.entries(bundle)) {
          if (output.type !== "chunk") continue;
          const { imports, dynamicImports, code } = output;
          this.#chunks.set(file, { imports, dynamicImports, code, isReact: output.name === "react" });
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
    return [...this.#closure(files, (chunk) => chunk.imports)]
      .filter((file) => !files.includes(file))
      .map((file) => `/${file}`);
  }

  /** Returns the code of all chunks that a page with these URLs may load. */
  reachable(urls: string[]): string[] {
    const files = this.#closure(urls.map(toFile), (chunk) => [...chunk.imports, ...chunk.dynamicImports]);
    return [...files].flatMap((file) => {
      const chunk = this.#chunks.get(file);
      return chunk && !chunk.isReact ? [chunk.code] : [];
    });
  }

  #closure(files: string[], next: (chunk: Chunk) => string[]): Set<string> {
    const seen = new Set<string>();
    const queue = [...files];
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      const chunk = this.#chunks.get(file);
      if (!chunk || seen.has(file)) continue;
      seen.add(file);
      queue.push(...next(chunk));
    }
    return seen;
  }
}

function toFile(url: string): string {
  return url.replace(/^\//, "").replace(/[?#].*$/, "");
}
