import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { OperatorError } from "#server/lib/errors.ts";

/** Its message names the process that holds the folder's lock. */
export class LockedError extends OperatorError {}

/** The locks of this process: one that is garbage-collected would be released. */
const locks = new Set<DatabaseSync>();

/**
 * Locks the folder for this process: PGlite has no lock, and two processes corrupt a folder silently. The lock is SQLite's on an empty database: Node has no
 * other lock of the system's, which ends with its process and is seen by all containers of a machine. Throws LockedError while another process holds it. Returns
 * the function that unlocks, as does the end of the process.
 */
export function lockFolder(folder: string): () => void {
  const lock = new DatabaseSync(join(folder, "folder.lock"), { timeout: 0 });
  const holderFile = join(folder, "folder.lock.holder");
  try {
    lock.exec("begin immediate");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    const holder = existsSync(holderFile) ? readFileSync(holderFile, "utf8") : "another process";
    throw new LockedError(`${folder} is in use by ${holder}: stop it, or set DATA_DIR to another folder.`);
  }
  locks.add(lock);
  writeFileSync(holderFile, `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}`);
  return () => {
    if (locks.delete(lock)) lock.close();
  };
}

/** SQLITE_BUSY. */
const busy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === busy;
}
