import { createHash } from "node:crypto";
import type { Plugin } from "vite";

interface Chunk {
  imports: string[];
  dynamicImports: string[];
  code: string;
  /** React names no class of ours, and nearly every element and attribute there is. */
  isReact: boolean;
}

/** One shared chunk for React, one for what every island draws with, one for what every island asks the host with, one for the stores, and one for the small things that the frame of every page needs. Stores beside React would pull React into every plain script that has one; the preload helper beside either would bring it to every reader. Small chunks of their own pack badly, and each costs its name on every page. */
export const chunkGroups = [
  {
    name: "react",
    test: /node_modules[\\/](react|react-dom|scheduler|@astrojs[\\/]react|@nanostores[\\/]react)[\\/]|rolldown[\\/]runtime/,
  },
  {
    name: "island",
    test: /[\\/]src[\\/](ui[\\/](Island|Button|Failed|Empty)|lib[\\/](use-store|replay))\.tsx?$|~icons[\\/]lucide[\\/](arrow-left|arrow-right|plus|triangle-alert)\b/,
  },
  { name: "nanostores", test: /node_modules[\\/]nanostores[\\/]/ },
  {
    name: "client",
    test: /vite[\\/]preload-helper|[\\/](src[\\/](client[\\/]color-mode|api[\\/](errors|envelope|fetch-public|paths|tab-storage)|lib[\\/](first-paint|when-idle|on-return))|i18n[\\/]locale)\.ts$/,
  },
  { name: "revalidate", test: /[\\/]src[\\/](lib[\\/]hydrate-when-stale|features[\\/](goods|package)[\\/]render-key)\.ts$/ },
  {
    name: "calls",
    test: /node_modules[\\/](valibot|ofetch|@nanostores[\\/]persistent)[\\/]|ofetch-replacements|[\\/](src[\\/](api[\\/](client|call|field|package-level|problem|storage|session)|features[\\/]session[\\/](store|start-session)|lib[\\/](resource|stale-while-revalidate|new-id|poster|format))|i18n[\\/]catalogue)\.ts$/,
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

/** What the browser's chunks import, known once they are written. */
export class Chunks {
  readonly #chunks = new Map<string, Chunk>();

  /** Records the chunks of the build for browsers. */
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

  /** One figure for all the code that browsers load: their names carry their content's hashes. */
  id(): string {
    return createHash("sha256")
      .update([...this.#chunks.keys()].sort().join())
      .digest("hex")
      .slice(0, 16);
  }

  /** The static imports of chunks, transitively, without themselves, as URLs. */
  dependencies(urls: string[]): string[] {
    const asked = urls.map(fileOf);
    return [...this.#closure(asked, (chunk) => chunk.imports)]
      .filter((file) => !asked.includes(file))
      .map((file) => `/${file}`);
  }

  /** The code of all chunks that a page which names these URLs can come to load. */
  reachable(urls: string[]): string[] {
    const files = this.#closure(urls.map(fileOf), (chunk) => [...chunk.imports, ...chunk.dynamicImports]);
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

function fileOf(url: string): string {
  return url.replace(/^\//, "").replace(/[?#].*$/, "");
}
