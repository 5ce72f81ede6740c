// Defines the chunk groups of the client build, and records the import graph of its chunks and modules.

import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/** Returns a pattern that matches the ids of modules. Each path is a package (`react/`), a source file (`src/api/call.ts`), or any other part of an id. */
function match(paths: readonly string[]): RegExp {
  const alternatives = paths.map((path) => {
    const text = path.replaceAll(".", "\\.").replaceAll("/", "[\\\\/]");
    if (path.endsWith("/")) return `node_modules[\\\\/]${text}`;
    return /\.tsx?$/.test(path) ? `[\\\\/]${text}$` : text;
  });
  return new RegExp(alternatives.join("|"));
}

/**
 * The modules of each chunk; the first group that matches a module has it. Nanostores, the preload helper and the imports of plain scripts
 * must not be in `react` or `calls`, or pages without islands would load React and the API client. Groups also merge small chunks, which compress badly.
 */
export const chunkPaths: Readonly<Record<string, readonly string[]>> = {
  react: ["react/", "react-dom/", "scheduler/", "@nanostores/react/", "src/client/react-client.ts"],
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
  // Must follow the groups that it imports from, because a group also takes what its modules import.
  island: [
    // Icons as React components. Notifications import them as text (`?raw`), because they do not need React.
    ...["arrow-left", "arrow-right", "check", "plus", "triangle-alert"].map((name) => `~icons/lucide/${name}.jsx`),
    "src/ui/Island.tsx",
    "src/ui/Button.tsx",
    "src/ui/Failed.tsx",
    "src/ui/Picture.tsx",
    "src/lib/use-store.ts",
    "src/lib/find-again.ts",
    "src/lib/replay-interactions.ts",
  ],
  // Loaded only with a session token.
  session: ["src/features/session/store.ts", "src/lib/draft.ts"],
  // Separate, because item and pass pages load it only for an unknown uid.
  empty: ["src/ui/Empty.tsx"],
  form: ["src/ui/ResourceView.tsx", "src/ui/Notice.tsx", "src/ui/Tag.tsx", "src/api/address-line.ts"],
  fields: ["src/ui/form/Field.tsx", "src/ui/form/Check.tsx", "src/ui/form/TextArea.tsx"],
  // Separate, because some pages load none of the groups below.
  date: ["src/lib/date.ts"],
  // Separate, because snapshots show it, and would bring it to pages that have none.
  day: ["src/ui/Day.tsx"],
  // Only pages with tickets or orders load it.
  snapshot: ["src/api/snapshot.ts", "src/ui/SnapshotNotice.tsx"],
  order: ["src/api/order.ts", "src/api/order-status.ts", "src/lib/use-countdown.ts"],
  goods: ["src/api/goods.ts"],
  ticket: ["src/ui/TicketCard.tsx", "src/ui/TicketPanel.tsx"],
  // The profile page loads all of these.
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

export class ClientGraph {
  /** Chunks by file name. `entry`: the id of the module that pages load the chunk for; null if it is only imported by other chunks. */
  readonly #chunks = new Map<string, { imports: string[]; entry: string | null }>();
  /** Modules by id. `code`: what the bundle contains of the module; empty if the bundler has removed it. */
  readonly #modules = new Map<string, { imports: readonly string[]; code: string }>();

  /** Returns the plugin that records the client build. */
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

  /** Returns a hash of all client code. Names of chunks are enough, because they contain content hashes. */
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

  /** Returns the code of the project's own modules that entries with these URLs may run. */
  reachable(urls: string[]): string[] {
    const entries = urls.flatMap((url) => this.#chunks.get(toFile(url))?.entry ?? []);
    const ids = findReachable(entries, (id) => this.#modules.get(id)?.imports ?? []);
    // Leaves out packages: React's code contains nearly every element and attribute name, and none of our classes.
    return [...ids].filter((id) => !id.includes("node_modules")).map((id) => this.#modules.get(id)?.code ?? "");
  }
}

function findReachable(from: readonly string[], next: (of: string) => readonly string[]): Set<string> {
  const found = new Set(from);
  // Iterating a set includes the values that are added meanwhile.
  for (const one of found) for (const other of next(one)) found.add(other);
  return found;
}

function toFile(url: string): string {
  return url.replace(/^\//, "").replace(/[?#].*$/, "");
}
