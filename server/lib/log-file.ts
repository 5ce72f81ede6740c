import { appendFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

/** In bytes: two files of this size are kept, and no more. */
const largest = 10 * 1024 * 1024;
const every = 200;

export interface LineLog {
  write(value: object): void;
  /** Writes what is waiting. */
  close(): void;
}

/** Lines of JSON, written some at a time: to standard output, into `requests.jsonl` of a folder, or nowhere. A log that cannot be written stops nobody. */
export function createLineLog(to: "file" | "stdout" | "none", folder: string): LineLog {
  const put = to === "file" ? intoFile(join(folder, "requests.jsonl")) : (text: string) => void process.stdout.write(text);
  let waiting = "";
  const flush = () => {
    if (waiting) put(waiting);
    waiting = "";
  };
  if (to === "none") return { write: () => {}, close: () => {} };
  const timer = setInterval(flush, every).unref();
  return {
    write(value) {
      waiting += `${JSON.stringify(value)}\n`;
    },
    close() {
      clearInterval(timer);
      flush();
    },
  };
}

function intoFile(file: string): (text: string) => void {
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let broken = false;
  return (text) => {
    try {
      if (size > largest) {
        renameSync(file, file.replace(/\.jsonl$/, ".1.jsonl"));
        size = 0;
      }
      appendFileSync(file, text, { mode: 0o600 });
      size += Buffer.byteLength(text);
      broken = false;
    } catch (error) {
      if (!broken)
        console.error(`The request log cannot be written: ${error instanceof Error ? error.message : "no reason given"}`);
      broken = true;
    }
  };
}
