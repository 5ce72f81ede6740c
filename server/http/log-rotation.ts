import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A log file is renamed when it is larger, in bytes. */
export const largest = 10 * 1024 * 1024;

/**
 * Renames `requests.jsonl` to a name of its own, such as `requests-20261122T041000123Z-4711.jsonl`, and deletes older ones once newer ones hold 10 MB. Two
 * processes may do so at the same moment: neither takes the other's file away, since no name is used twice.
 */
export function rotate(file: string): void {
  const folder = dirname(file);
  const stem = basename(file, ".jsonl");
  const stamp = new Date().toISOString().replace(/[-:.]/g, "");
  // Another process may have renamed it since its size was read.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largest)
    renameIfThere(file, join(folder, `${stem}-${stamp}-${process.pid}.jsonl`));
  let newer = 0;
  for (const { path, size } of rotated(folder, stem)) {
    if (newer >= largest) rmSync(path, { force: true });
    newer += size;
  }
}

function renameIfThere(file: string, name: string): void {
  try {
    renameSync(file, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

/** The renamed ones, the newest first. What others have renamed has other names. */
function rotated(folder: string, stem: string) {
  const own = new RegExp(`^${stem}(-\\d{8}T\\d{9}Z-\\d+|\\.1)\\.jsonl$`);
  return readdirSync(folder)
    .filter((name) => own.test(name))
    .flatMap((name) => {
      const path = join(folder, name);
      const info = statSync(path, { throwIfNoEntry: false });
      return info ? [{ path, size: info.size, at: info.mtimeMs }] : [];
    })
    .sort((one, other) => other.at - one.at);
}
