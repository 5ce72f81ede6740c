import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/** Matches module ids: packages (`react/`), files of the repository (with their extension), and any other text that an id contains. */
function match(paths: readonly string[]): RegExp {
  const alternatives = paths.map((path) => {
    const text = path.replaceAll(".", "\\.").replaceAll("/", "[\\\\/]");
    if (path.endsWith("/")) return `node_modules[\\\\/]${text}`;
    return /\.tsx?$/.test(path) ? `[\\\\/]${text}$` : text;
  });
  return new RegExp(alternatives.join("|"));
}

/**
 * What each chunk has, in the order in which chunks take modules. Keep nanostores, the preload helper and what plain scripts import out of `react` and `calls`:
 * otherwise every reader downloads those. Groups also merge small chunks, which compress badly and cost a name on every page.
 */
export const chunkPaths: Readonly<Record<string, readonly string[]>> = {
  react: ["react/", "react-dom/", "scheduler/", "@astrojs/react/", "@nanostores/react/"],
  nanostores: ["nanostores/"],
  base: [
    "vite/preload-helper",
    "src/client/color-mode.ts",
    "src/api/envelope.ts",
    "src/api/fetch-public.ts",
    "src/api/paths.ts",
    "src/api/tab-storage.ts",
    "src/lib/page-lifecycle.ts",
    "i18n/locale.ts",
  ],
  revalidate: ["src/lib/hydrate-when-stale.ts", "src/api/render-key.ts"],
  calls: [
    "valibot/",
    "ofetch/",
    "ufo/",
    "destr/",
    "@nanostores/persistent/",
    "src/api/client.ts",
    "src/api/call.ts",
    "src/api/order-rules.ts",
    "src/api/problem.ts",
    "src/api/storage.ts",
    "src/api/session.ts",
    "src/routes.ts",
    "src/lib/resource.ts",
    "src/lib/picture.ts",
    "src/lib/format.ts",
    "i18n/catalogue.ts",
  ],
  // After those without React, of which it imports some.
  island: [
    // As components: notifications have them as text, and React is not for them.
    ...["arrow-left", "arrow-right", "check", "plus", "triangle-alert"].map((name) => `~icons/lucide/${name}.jsx`),
    "src/ui/Island.tsx",
    "src/ui/Button.tsx",
    "src/ui/Failed.tsx",
    "src/ui/Picture.tsx",
    "src/lib/use-store.ts",
    "src/lib/replay-interactions.ts",
  ],
  // Only who has a token loads it.
  session: ["src/features/session/store.ts", "src/lib/draft.ts"],
  // Items and passes load it when they are unknown.
  empty: ["src/ui/Empty.tsx"],
  form: ["src/ui/ResourceView.tsx", "src/ui/Notice.tsx", "src/ui/Tag.tsx", "src/api/address-line.ts"],
  fields: ["src/ui/form/Field.tsx", "src/ui/form/Check.tsx", "src/ui/form/TextArea.tsx"],
  // Reading pages load it without the following.
  date: ["src/lib/date.ts"],
  // Only pages with tickets or orders load it.
  snapshot: ["src/api/snapshot.ts", "src/ui/SnapshotNotice.tsx"],
  order: ["src/api/order.ts", "src/api/order-status.ts", "src/lib/use-countdown.ts"],
  goods: ["src/api/goods.ts"],
  ticket: ["src/ui/TicketCard.tsx", "src/ui/TicketPanel.tsx"],
  // What the profile shows together.
  member: [
    "src/api/activity.ts",
    "src/api/address.ts",
    "src/api/booking.ts",
    "src/features/activity/store.ts",
    "src/features/address/store.ts",
    "src/features/campaign/store.ts",
    "src/lib/scroll.ts",
  ],
};

export const chunkGroups = Object.entries(chunkPaths).map(([name, paths]) => ({ name, test: match(paths) }));

/** The client build: which chunks a chunk imports, and which modules a page may run. */
export class ClientGraph {
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
  hash(): string {
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
