import { closeSync, fstatSync, futimesSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { currentProcess, describeHolder, type Holder, holderIn, isRunning, isVisible } from "./process-identity.ts";

/** Its message names who has the folder. */
export class LockedError extends Error {}

// In ms.
const beat = 1_000;
/** How long a lock is silent before its holder counts as dead, where its process cannot be looked at. */
const forgotten = 30_000;
/** The same for a lock that looks old by this machine's clock, which may be another than the holder's. Earlier versions beat every 5 s. */
const forgottenOld = 12_000;

/**
 * Takes the folder for this process: PGlite has no lock of its own, and two processes corrupt it silently.
 * Throws LockedError while another one has it; a lock whose process is gone is taken over: at once where that can be seen, after 30 s of silence where its
 * process is in another PID namespace or on another machine. `lose` is called when the lock turns out to be somebody else's. Returns what gives it back.
 */
export async function lockFolder(folder: string, lose: (reason: string) => void): Promise<() => void> {
  const file = join(folder, "host.lock");
  const me = currentProcess();
  if (!put(file, me)) await takeOver(file, folder, me);
  const heart = setInterval(() => {
    const reason = lossOf(file, me);
    if (!reason) return;
    clearInterval(heart);
    lose(`${folder} is no longer this process's: ${reason}.`);
  }, beat).unref();
  const unlock = () => {
    clearInterval(heart);
    process.off("exit", unlock);
    if (readLock(file)?.holder?.key === me.key) rmSync(file, { force: true });
  };
  process.on("exit", unlock);
  return unlock;
}

/** Beats, or returns why the lock is lost. One that cannot be read for a moment is not; one that is gone is put back, unless its folder went with it. */
function lossOf(file: string, me: Holder): string | null {
  try {
    const lock = readLock(file, me.key);
    if (lock)
      return lock.holder?.key === me.key ? null : lock.holder ? `${describeHolder(lock.holder)} has it` : "its lock is broken";
    return put(file, me) ? null : lossOf(file, me);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? "it is gone" : null;
  }
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
async function takeOver(file: string, folder: string, me: Holder): Promise<void> {
  const dead = await untilDead(file, folder);
  const second = `${file}.takeover`;
  if (!put(second, me)) {
    const deadSecond = await untilDead(second, folder);
    removeIf(second, deadSecond);
    if (!put(second, me)) throw new LockedError(`${folder} is just being taken by another process: try again.`);
  }
  try {
    const stillDead = readLock(file)?.pulse === dead ? dead : await untilDead(file, folder);
    removeIf(file, stillDead);
    if (!put(file, me)) await untilDead(file, folder);
  } finally {
    rmSync(second, { force: true });
  }
}

/**
 * Resolves with the last pulse of a lock whose holder is dead, undefined when there is no lock. Throws LockedError while the holder lives. A process that
 * cannot be looked at lives while its lock changes; how much time has passed is measured here, as clocks of machines differ.
 */
async function untilDead(file: string, folder: string): Promise<string | undefined> {
  const first = readLock(file);
  if (!first?.holder) return first?.pulse;
  const { holder, pulse, at } = first;
  const locked = (by: Holder) =>
    new LockedError(`${folder} is in use by ${describeHolder(by)}: stop it, or set DATA_DIR to another folder.`);
  if (isVisible(holder)) {
    if (isRunning(holder)) throw locked(holder);
    return pulse;
  }
  const silence = Date.now() - at > forgotten ? forgottenOld : forgotten;
  const until = performance.now() + silence;
  let isPatient = false;
  while (performance.now() < until) {
    await wait(beat / 4);
    const lock = readLock(file);
    if (!lock) return undefined;
    if (lock.pulse !== pulse) throw locked(lock.holder ?? holder);
    if (!isPatient && performance.now() > until - silence + 2 * beat) {
      isPatient = true;
      console.error(
        `${folder} was in use by ${describeHolder(holder)}, which shows no sign of life: waiting ${silence / 1000} s for one.`,
      );
    }
  }
  return pulse;
}

function removeIf(file: string, pulse: string | undefined): void {
  if (readLock(file)?.pulse === pulse) rmSync(file, { force: true });
}

interface Lock {
  /** Null when the file holds no lock. */
  holder: Holder | null;
  /** Another one after each beat, and for each holder. */
  pulse: string;
  /** When the last beat was, by the holder's clock. */
  at: number;
}

/** Null when there is none. Beats where `own` is the holder's key. Opened anew each time: so network volumes show what is there now. */
function readLock(file: string, own?: string): Lock | null {
  let open: number | undefined;
  try {
    open = openSync(file, "r");
    const { ino, mtimeMs } = fstatSync(open);
    const holder = holderIn(readFileSync(open, "utf8"));
    // Of the file that was read: one that another process puts in its place is not touched.
    if (holder && holder.key === own) futimesSync(open, new Date(), new Date());
    return { holder, pulse: `${ino} ${mtimeMs} ${holder?.key}`, at: mtimeMs };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  } finally {
    if (open !== undefined) closeSync(open);
  }
}
