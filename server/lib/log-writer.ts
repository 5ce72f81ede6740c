import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { getReason, hasCode } from "./errors.ts";

/** Size above which a log file is rotated, in bytes. */
const maxLogSize = 10 * 1024 * 1024;

/**
 * Renames `requests.jsonl` to a unique name such as `requests-20261122T041000123Z-4711.jsonl`, and deletes rotated files beyond the newest 10 MB. Two processes
 * may rotate at the same moment: names are unique, so neither overwrites the other's file.
 */
function rotateLog(file: string): void {
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
    if (!hasCode(error, "ENOENT")) throw error;
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

/** Time between two writes, in ms. */
const flushInterval = 200;
/** Size of the buffer while the file cannot be written, in characters: about 15 minutes of light traffic. Lines beyond it are only counted. */
const maxBufferLength = 4 * 1024 * 1024;

export interface LogWriter {
  write(value: object): void;
  /** Writes the buffered lines. */
  close(): void;
}

/** Writes text. Returns the whole lines that could not be written, and why. */
type Sink = (text: string) => { rest: string; reason: string };

/**
 * Creates a writer of JSON lines, buffered, to standard output, to `requests.jsonl` in a folder, or nowhere. Several processes may share a folder. A failing
 * log does not fail requests: lines are buffered, one error is printed, and one message with the number of lost lines when writing works again.
 */
export function createLogWriter(to: "file" | "stdout" | "none", folder: string): LogWriter {
  if (to === "none") return { write: () => {}, close: () => {} };
  const sink = to === "file" ? createFileSink(join(folder, "requests.jsonl")) : writeToStdout;
  let buffer = "";
  let isFailing = false;
  let lost = 0;
  const flush = () => {
    if (!buffer) return;
    const { rest, reason } = sink(buffer);
    buffer = rest;
    if (rest && !isFailing) console.error(`The request log cannot be written: ${reason}. Requests are still served.`);
    if (!rest && isFailing) console.error(`The request log is written again: ${lost} lines are lost.`);
    isFailing = rest !== "";
    if (!isFailing) lost = 0;
  };
  const timer = setInterval(flush, flushInterval).unref();
  return {
    write(value) {
      const isFull = buffer.length > maxBufferLength;
      if (isFull && !isFailing) flush();
      if (isFull && isFailing) lost += 1;
      else buffer += `${JSON.stringify(value)}\n`;
    },
    close() {
      clearInterval(timer);
      flush();
      const missing = lost + buffer.split("\n").length - 1;
      if (missing > 0) console.error(`The request log ends with ${missing} lines lost.`);
    },
  };
}

function writeToStdout(text: string) {
  process.stdout.write(text);
  return { rest: "", reason: "" };
}

/** Opens the file for each write, so that it may be renamed, truncated or removed at any time. */
function createFileSink(file: string): Sink {
  // The file ends with a partial line that could not be truncated.
  let isTorn = false;
  return (text) => {
    let descriptor: number | undefined;
    let rest = text;
    try {
      descriptor = openToAppend(file);
      if (fstatSync(descriptor).size > maxLogSize) {
        closeSync(descriptor);
        descriptor = undefined;
        rotateLog(file);
        descriptor = openToAppend(file);
      }
      if (isTorn) writeSync(descriptor, "\n");
      isTorn = false;
      const before = fstatSync(descriptor).size;
      const { done, error } = append(descriptor, Buffer.from(text));
      if (!error) return { rest: "", reason: "" };
      const whole = done.lastIndexOf("\n") + 1;
      rest = text.slice(done.subarray(0, whole).toString().length);
      isTorn = done.length > whole;
      // Truncates the partial line, unless another process has appended to it.
      if (isTorn && fstatSync(descriptor).size === before + done.length) {
        ftruncateSync(descriptor, before + whole);
        isTorn = false;
      }
      return { rest, reason: getReason(error) };
    } catch (error) {
      return { rest, reason: getReason(error) };
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  };
}

function openToAppend(file: string): number {
  try {
    return openSync(file, "a", 0o600);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    // The folder has been removed.
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openSync(file, "a", 0o600);
  }
}

/** Appends with one system call where possible, so that lines of other processes do not interleave. A full disk accepts a part. */
function append(descriptor: number, bytes: Buffer): { done: Buffer; error: unknown } {
  let length = 0;
  try {
    while (length < bytes.length) length += writeSync(descriptor, bytes, length);
    return { done: bytes, error: null };
  } catch (error) {
    return { done: bytes.subarray(0, length), error };
  }
}
