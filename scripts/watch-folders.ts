import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { root } from "./process.ts";

/** Milliseconds: an editor saves in several steps. */
const debounce = 100;

/**
 * Calls `onChange` when a file changes whose path, relative to the project and with `/`, `matches`. Watches folders, not files:
 * most editors save by replacing the file. Names that begin with a dot are left out.
 */
export function watchFolders(folders: string[], matches: (path: string) => boolean, onChange: () => void): void {
  const watched = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;

  function add(folder: string): void {
    if (watched.has(folder)) return;
    const watcher = watch(folder, (_, name) => {
      if (name?.startsWith(".")) return;
      const path = join(folder, name ?? "");
      if (isFolder(path)) add(path);
      if (!matches(relative(root, path).split(sep).join("/"))) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, debounce);
    });
    const unwatch = () => {
      watcher.close();
      watched.delete(folder);
    };
    watcher.on("error", unwatch);
    watched.set(folder, watcher);
    for (const name of readdirSync(folder)) if (!name.startsWith(".") && isFolder(join(folder, name))) add(join(folder, name));
  }
  for (const folder of folders) add(resolve(root, folder));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
