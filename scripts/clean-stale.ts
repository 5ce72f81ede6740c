import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Removes folders of dead processes; `name` captures the process id in the name of a folder. */
export function cleanStale(folder: string, name: RegExp): void {
  for (const entry of readdirSync(folder)) {
    const pid = Number(name.exec(entry)?.[1] ?? 0);
    if (pid && pid !== process.pid && !isAlive(pid)) rmSync(join(folder, entry), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
