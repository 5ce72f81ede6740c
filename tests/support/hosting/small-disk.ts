import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  folder: string;
  /** Fills the disk to the last byte. */
  fill(): void;
  /** Deletes what `fill` wrote. */
  free(): void;
  unmount(): void;
}

/** Mounts a file system of `megabytes` MB in memory; returns null where mounting fails, as only root may. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), "entrance-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  // PostgreSQL does not run as root.
  chmodSync(folder, 0o777);
  const filler = join(folder, "filler");
  return {
    folder,
    fill() {
      const file = openSync(filler, "a");
      for (let size = 1024 * 1024; size >= 1; size = size / 4) {
        const block = Buffer.alloc(size);
        try {
          for (;;) writeSync(file, block);
        } catch {
          // A smaller block may still fit.
        }
      }
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
    unmount() {
      execFileSync("umount", ["--lazy", folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** For `it.skipIf`: returns true where a disk cannot be mounted. */
export function isWithoutSmallDisk(): boolean {
  const disk = mountSmallDisk(1);
  disk?.unmount();
  return disk === null;
}
