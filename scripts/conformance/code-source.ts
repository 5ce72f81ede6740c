import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { setTimeout as pause } from "node:timers/promises";
import { Skipped } from "./outcome.ts";

/** Where login codes can be read: whoever has a host under test has a way to one. */
export interface CodeSource {
  /** The code that was sent to a number since then. */
  codeFor(mobile: string, since: Date): Promise<string>;
}

const looks = 30;

/** Looks again and again, as a message takes its time. */
async function awaited(look: () => string | undefined, every: number): Promise<string> {
  for (let n = 0; n < looks; n += 1) {
    const code = look();
    if (code) return code;
    await pause(every);
  }
  throw new Skipped("no login code could be read");
}

/** The file that the console sender writes: a line of JSON `{to, code, at}` for each message. */
export function fromOutbox(file: string): CodeSource {
  const lines = () => {
    try {
      return readFileSync(file, "utf8").split("\n").filter(Boolean);
    } catch {
      return [];
    }
  };
  return {
    codeFor: (mobile, since) =>
      awaited(() => {
        const sent = lines().map((line): { to: string; code: string; at: string } => JSON.parse(line));
        return sent.findLast(({ to, at }) => to === mobile && Date.parse(at) >= since.getTime() - 1000)?.code;
      }, 200),
  };
}

/** A command of the operator's that prints the code; the number is in $MOBILE, the time of sending in $SINCE. */
export function fromCommand(command: string): CodeSource {
  return {
    codeFor: (mobile, since) =>
      awaited(() => {
        const env = { ...process.env, MOBILE: mobile, SINCE: since.toISOString() };
        const { stdout } = spawnSync(command, { shell: true, encoding: "utf8", env });
        return /(?<!\d)\d{6}(?!\d)/.exec(stdout ?? "")?.[0];
      }, 1000),
  };
}

/** Somebody who has the phone in hand. */
export const fromTerminal: CodeSource = {
  async codeFor(mobile) {
    const line = createInterface({ input: process.stdin, output: process.stderr });
    const code = await line.question(`Code sent to ${mobile}: `);
    line.close();
    return code.trim();
  },
};
