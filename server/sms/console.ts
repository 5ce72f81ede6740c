import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sender } from "../context.ts";

/** Creates a sender that prints codes and appends each as a line of JSON to `outbox.jsonl` in the folder, for demos and tests. */
export function createConsoleSender(folder: string, print: (line: string) => void): Sender {
  return {
    async send({ to, code }) {
      print(`Login code for ${to}: ${code}`);
      const line = JSON.stringify({ to, code, at: new Date().toISOString() });
      await appendFile(join(folder, "outbox.jsonl"), `${line}\n`, { mode: 0o600 });
    },
  };
}
