import { closeSync, fstatSync, futimesSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { hasCode, OperatorError } from "../lib/errors.ts";
import { currentProcess, describeHolder, type Holder, isRunning, isVisible, parseHolder } from "./process-identity.ts";

/** Its message names the process that holds the folder's lock. */
export class LockedError extends OperatorError {}

// In ms.
const heartbeatInterval = 1_000;
/** Time without a heartbeat after which an invisible holder counts as dead. */
const silenceTimeout = 30_000;
/** The same for a lock whose last heartbeat looks old by this machine's clock, which may differ from the holder's. Earlier versions send a heartbeat every 5 s. */
const oldLockSilenceTimeout = 12_000;

/**
 * Locks the folder for this process: PGlite has no lock, and two processes corrupt a folder silently. Throws LockedError while another process holds the lock.
 * Takes over the lock of a dead process: at once when the process is visible, after 30 s without a heartbeat when it is in another PID namespace or on another
 * machine. Calls `onLost` when another process takes the lock. Returns the function that unlocks.
 */
export async function lockFolder(folder: string, onLost: (reason: string) => void): Promise<() => void> {
  const file = join(folder, "host.lock");
  const self = currentProcess();
  if (!createLock(file, self)) await takeOver(file, folder, self);
  const heartbeat = setInterval(() => {
    const reason = refreshLock(file, self);
    if (!reason) return;
    clearInterval(heartbeat);
    onLost(`${folder} is no longer this process's: ${reason}.`);
  }, heartbeatInterval).unref();
  const unlock = () => {
    clearInterval(heartbeat);
    process.off("exit", unlock);
    if (readLock(file)?.holder?.key === self.key) rmSync(file, { force: true });
  };
  process.on("exit", unlock);
  return unlock;
}

/** Refreshes the lock, or returns why it is lost. A missing file is created again unless its folder is missing too; an unreadable one is ignored. */
function refreshLock(file: string, self: Holder): string | null {
  try {
    const lock = readLock(file, self.key);
    if (!lock) return createLock(file, self) ? null : refreshLock(file, self);
    if (lock.holder?.key === self.key) return null;
    return lock.holder ? `${describeHolder(lock.holder)} holds it` : "its lock is broken";
  } catch (error) {
    return hasCode(error, "ENOENT") ? "it does not exist" : null;
  }
}

/** Creates the lock file atomically. Returns false when it exists. */
function createLock(file: string, self: Holder): boolean {
  const temporaryFile = `${file}.${self.key}`;
  writeFileSync(temporaryFile, JSON.stringify(self), { mode: 0o600 });
  try {
    linkSync(temporaryFile, file);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    rmSync(temporaryFile, { force: true });
  }
}

/** Replaces a dead holder's lock. Only the process that holds a second lock may do so, after it has checked the first again. */
async function takeOver(file: string, folder: string, self: Holder): Promise<void> {
  const staleVersion = await waitUntilDead(file, folder);
  const secondFile = `${file}.takeover`;
  if (!createLock(secondFile, self)) {
    removeIfUnchanged(secondFile, await waitUntilDead(secondFile, folder));
    if (!createLock(secondFile, self)) throw new LockedError(`Another process is locking ${folder}: try again.`);
  }
  try {
    const version = readLock(file)?.version === staleVersion ? staleVersion : await waitUntilDead(file, folder);
    removeIfUnchanged(file, version);
    if (!createLock(file, self)) await waitUntilDead(file, folder);
  } finally {
    rmSync(secondFile, { force: true });
  }
}

/**
 * Resolves with the last version of a dead holder's lock, undefined when there is no lock. Throws LockedError while the holder lives. An invisible process lives
 * while its lock changes; the time is measured here, since clocks of machines differ.
 */
async function waitUntilDead(file: string, folder: string): Promise<string | undefined> {
  const first = readLock(file);
  if (!first?.holder) return first?.version;
  const { holder, version, heartbeatAt } = first;
  const createLockedError = (lockHolder: Holder) =>
    new LockedError(`${folder} is in use by ${describeHolder(lockHolder)}: stop it, or set DATA_DIR to another folder.`);
  if (isVisible(holder)) {
    if (isRunning(holder)) throw createLockedError(holder);
    return version;
  }
  const silence = Date.now() - heartbeatAt > silenceTimeout ? oldLockSilenceTimeout : silenceTimeout;
  const until = performance.now() + silence;
  let hasWarned = false;
  while (performance.now() < until) {
    await wait(heartbeatInterval / 4);
    const lock = readLock(file);
    if (!lock) return undefined;
    if (lock.version !== version) throw createLockedError(lock.holder ?? holder);
    if (!hasWarned && performance.now() > until - silence + 2 * heartbeatInterval) {
      hasWarned = true;
      console.error(
        `${folder} was in use by ${describeHolder(holder)}, which has sent no heartbeat: waiting ${silence / 1000} s for one.`,
      );
    }
  }
  return version;
}

function removeIfUnchanged(file: string, version: string | undefined): void {
  if (readLock(file)?.version === version) rmSync(file, { force: true });
}

interface Lock {
  /** Null when the file is broken. */
  holder: Holder | null;
  /** Differs after each heartbeat, and for each holder. */
  version: string;
  /** Time of the last heartbeat, by the holder's clock. */
  heartbeatAt: number;
}

/** Reads the lock; null when there is none. Refreshes it when `ownKey` is the holder's. Opens the file each time, so that network volumes return its current state. */
function readLock(file: string, ownKey?: string): Lock | null {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const { ino, mtimeMs } = fstatSync(descriptor);
    const holder = parseHolder(readFileSync(descriptor, "utf8"));
    // Touches the file that was read, not one that another process has put in its place since.
    if (holder && holder.key === ownKey) futimesSync(descriptor, new Date(), new Date());
    return { holder, version: `${ino} ${mtimeMs} ${holder?.key}`, heartbeatAt: mtimeMs };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
