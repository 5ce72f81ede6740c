import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { setTimeout as pause } from "node:timers/promises";
import { Skipped } from "./outcome.ts";

/** A source of login codes. */
export interface CodeSource {
  /** Returns the code that was sent to a number since then. */
  codeFor(mobile: string, since: Date): Promise<string>;
}

const looks = 30;

/** Polls for a code. */
async function waitForCode(look: () => string | undefined, every: number): Promise<string> {
  for (let n = 0; n < looks; n += 1) {
    const code = look();
    if (code) return code;
    await pause(every);
  }
  throw new Skipped("no login code could be read");
}

/** Reads codes from the outbox of the console sender: a line of JSON `{to, code, at}` per message. */
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
      waitForCode(() => {
        const sent = lines().map((line): { to: string; code: string; at: string } => JSON.parse(line));
        return sent.findLast(({ to, at }) => to === mobile && Date.parse(at) >= since.getTime() - 1000)?.code;
      }, 200),
  };
}

/** Reads codes from the output of a command; $MOBILE is the number, $SINCE the time of sending. */
export function fromCommand(command: string): CodeSource {
  return {
    codeFor: (mobile, since) =>
      waitForCode(() => {
        const env = { ...process.env, MOBILE: mobile, SINCE: since.toISOString() };
        const { stdout } = spawnSync(command, { shell: true, encoding: "utf8", env });
        return /(?<!\d)\d{6}(?!\d)/.exec(stdout ?? "")?.[0];
      }, 1000),
  };
}

/** Prompts for the code at the terminal. */
export const fromTerminal: CodeSource = {
  async codeFor(mobile) {
    const line = createInterface({ input: process.stdin, output: process.stderr });
    const code = await line.question(`Code sent to ${mobile}: `);
    line.close();
    return code.trim();
  },
};
