import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sender } from "../lib/sms-sender.ts";

/** Prints codes, and appends each as a line of JSON to `outbox.jsonl` in the folder: for trying out, and for tests. */
export function consoleSender(folder: string, print: (line: string) => void): Sender {
  return {
    async send({ to, code }) {
      print(`Login code for ${to}: ${code}`);
      const line = JSON.stringify({ to, code, at: new Date().toISOString() });
      await appendFile(join(folder, "outbox.jsonl"), `${line}\n`, { mode: 0o600 });
    },
  };
}
