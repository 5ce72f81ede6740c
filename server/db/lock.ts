import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Holder, isRunning, myself, wordsFor } from "./process-identity.ts";

/** Its message names who has the folder. */
export class LockedError extends Error {}

const beat = 5_000;
const forgotten = 30_000;

/**
 * Takes the folder for this process: PGlite has no lock of its own, and two processes corrupt it silently.
 * Throws LockedError while another one has it; a lock whose process is gone is taken over. Returns what gives it back.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, "host.lock");
  const me = myself();
  if (!put(file, me)) takeOver(file, folder, me);
  // For hosts that cannot see our process (another machine or container on the same volume): a lock that is touched lives.
  const heart = setInterval(() => touch(file), beat).unref();
  const unlock = () => {
    clearInterval(heart);
    process.off("exit", unlock);
    if (holderOf(file)?.key === me.key) rmSync(file, { force: true });
  };
  process.on("exit", unlock);
  return unlock;
}

/** Creates the file whole or not at all, and only where there is none: false when there is. */
function put(file: string, me: Holder): boolean {
  const draft = `${file}.${me.key}`;
  writeFileSync(draft, JSON.stringify(me), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Of several that find a dead holder's lock, the one that gets the second lock may replace it; it looks again before it does. */
function takeOver(file: string, folder: string, me: Holder): void {
  refuseIfHeld(file, folder);
  const second = `${file}.takeover`;
  if (!put(second, me)) {
    refuseIfHeld(second, folder);
    rmSync(second, { force: true });
    if (!put(second, me)) throw new LockedError(`${folder} is just being taken by another host: try again.`);
  }
  try {
    refuseIfHeld(file, folder);
    rmSync(file, { force: true });
    if (!put(file, me)) refuseIfHeld(file, folder);
  } finally {
    rmSync(second, { force: true });
  }
}

function refuseIfHeld(file: string, folder: string): void {
  const holder = holderOf(file);
  if (!holder) return;
  const lives = holder.host === myself().host ? isRunning(holder) : age(file) < forgotten;
  if (lives) throw new LockedError(`${folder} is in use by ${wordsFor(holder)}: stop it, or set DATA_DIR to another folder.`);
}

function holderOf(file: string): Holder | null {
  try {
    const read: Partial<Holder> | null = JSON.parse(readFileSync(file, "utf8"));
    const { key, pid, started = "", boot = "", host = "", at = "" } = read ?? {};
    return typeof pid === "number" && typeof key === "string" ? { key, pid, started, boot, host, at } : null;
  } catch {
    return null;
  }
}

function age(file: string): number {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Gone with its folder: nothing to keep alive.
  }
}
