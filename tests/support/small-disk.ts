import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  folder: string;
  /** Leaves no byte free. */
  fill(): void;
  /** Takes away what `fill` has written. */
  free(): void;
  unmount(): void;
}

/** A file system of its own in memory, so large in MB; null where it cannot be mounted, which only root may do. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), "entrance-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  // PostgreSQL runs as another user than root.
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
          // A smaller one may still fit.
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

/** For `it.skipIf`: whether this machine lets the tests mount one. */
export function isWithoutSmallDisk(): boolean {
  const disk = mountSmallDisk(1);
  disk?.unmount();
  return disk === null;
}
