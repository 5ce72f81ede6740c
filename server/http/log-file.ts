import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { largest, rotate } from "./log-rotation.ts";

/** Between two writes, in ms. */
const every = 200;
/** What waits while the file cannot be written, in characters: a quarter of an hour of a quiet shop. Lines beyond it are counted alone. */
const mostWaiting = 4 * 1024 * 1024;

export interface LineLog {
  write(value: object): void;
  /** Writes what is waiting. */
  close(): void;
}

/** Writes text; returns what could not be written, whole lines of it, and why. */
type Sink = (text: string) => { rest: string; reason: string };

/**
 * Lines of JSON, written some at a time: to standard output, into `requests.jsonl` of a folder, or nowhere. Any number of processes may have one folder. A log
 * that cannot be written stops nobody: its lines wait, it prints so once, and once more when it is written again, with the number of lines that are lost.
 */
export function createLineLog(to: "file" | "stdout" | "none", folder: string): LineLog {
  if (to === "none") return { write: () => {}, close: () => {} };
  const sink = to === "file" ? intoFile(join(folder, "requests.jsonl")) : intoStdout;
  let waiting = "";
  let isFailing = false;
  let lost = 0;
  const flush = () => {
    if (!waiting) return;
    const { rest, reason } = sink(waiting);
    waiting = rest;
    if (rest && !isFailing) console.error(`The request log cannot be written: ${reason}. Requests are answered all the same.`);
    if (!rest && isFailing) console.error(`The request log is written again: ${lost} lines are lost.`);
    isFailing = rest !== "";
    if (!isFailing) lost = 0;
  };
  const timer = setInterval(flush, every).unref();
  return {
    write(value) {
      const isFull = waiting.length > mostWaiting;
      if (isFull && !isFailing) flush();
      if (isFull && isFailing) lost += 1;
      else waiting += `${JSON.stringify(value)}\n`;
    },
    close() {
      clearInterval(timer);
      flush();
      const missing = lost + waiting.split("\n").length - 1;
      if (missing > 0) console.error(`The request log ends with ${missing} lines lost.`);
    },
  };
}

function intoStdout(text: string) {
  process.stdout.write(text);
  return { rest: "", reason: "" };
}

/** Opens the file for each write: whoever renames, truncates or removes it meanwhile takes nothing away. */
function intoFile(file: string): Sink {
  // After part of a line that could not be taken back.
  let isTorn = false;
  return (text) => {
    let descriptor: number | undefined;
    let rest = text;
    try {
      descriptor = openToAppend(file);
      if (fstatSync(descriptor).size > largest) {
        closeSync(descriptor);
        descriptor = undefined;
        rotate(file);
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
      // Nobody else has written behind it.
      if (isTorn && fstatSync(descriptor).size === before + done.length) {
        ftruncateSync(descriptor, before + whole);
        isTorn = false;
      }
      return { rest, reason: reasonOf(error) };
    } catch (error) {
      return { rest, reason: reasonOf(error) };
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  };
}

function openToAppend(file: string): number {
  try {
    return openSync(file, "a", 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    // Its folder has been taken away.
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openSync(file, "a", 0o600);
  }
}

/** One call as a rule, which no other process writes into. A full disk takes a part. */
function append(descriptor: number, bytes: Buffer): { done: Buffer; error: unknown } {
  let length = 0;
  try {
    while (length < bytes.length) length += writeSync(descriptor, bytes, length);
    return { done: bytes, error: null };
  } catch (error) {
    return { done: bytes.subarray(0, length), error };
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : "no reason given");
