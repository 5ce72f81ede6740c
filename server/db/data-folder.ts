import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "#server/lib/errors.ts";

/** The folder of PGlite's files, which it unpacks readable and writable for everybody. */
export const getDatabaseFolder = (folder: string) => join(folder, "database");

/** Creates DATA_DIR, and makes it and the database in it accessible to this process's user alone. Throws OperatorError where it cannot, as PostgreSQL does. */
export function openDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  makePrivate(folder);
  const database = getDatabaseFolder(folder);
  if (existsSync(database)) makePrivate(database);
}

function makePrivate(folder: string): void {
  const { uid, mode } = statSync(folder);
  // Windows has no modes.
  const user = process.getuid?.();
  if (user === undefined) return;
  const shared = `${folder} holds members' data and is not this user's alone`;
  if (uid !== user || mode & 0o1000)
    throw new OperatorError(`${shared}: set DATA_DIR to a folder in it, which the start creates, or give it to the user.`);
  if (mode & 0o077) chmodSync(folder, 0o700);
}
