import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Size above which a log file is rotated, in bytes. */
export const maxLogSize = 10 * 1024 * 1024;

/**
 * Renames `requests.jsonl` to a unique name such as `requests-20261122T041000123Z-4711.jsonl`, and deletes rotated files beyond the newest 10 MB. Two processes
 * may rotate at the same moment: names are unique, so neither overwrites the other's file.
 */
export function rotateLog(file: string): void {
  const folder = dirname(file);
  const stem = basename(file, ".jsonl");
  const stamp = new Date().toISOString().replace(/[-:.]/g, "");
  // Another process may have rotated the file since its size was read.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxLogSize)
    renameIfExists(file, join(folder, `${stem}-${stamp}-${process.pid}.jsonl`));
  let newerSize = 0;
  for (const { path, size } of listRotatedLogs(folder, stem)) {
    if (newerSize >= maxLogSize) rmSync(path, { force: true });
    newerSize += size;
  }
}

function renameIfExists(file: string, name: string): void {
  try {
    renameSync(file, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

/** Lists the rotated files, newest first. Other names in the folder, such as an administrator's copies, do not match. */
function listRotatedLogs(folder: string, stem: string) {
  const pattern = new RegExp(`^${stem}(-\\d{8}T\\d{9}Z-\\d+|\\.1)\\.jsonl$`);
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .flatMap((name) => {
      const path = join(folder, name);
      const info = statSync(path, { throwIfNoEntry: false });
      return info ? [{ path, size: info.size, modifiedAt: info.mtimeMs }] : [];
    })
    .sort((one, other) => other.modifiedAt - one.modifiedAt);
}
