import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { setTimeout as pause } from "node:timers/promises";
import { CheckSkipped } from "./client.ts";

/** A source of login codes. */
export interface CodeSource {
  /** Returns the code sent to a number after `since`. */
  getCode(mobile: string, since: Date): Promise<string>;
}

const maxPolls = 30;

/** Polls for a code every `interval` ms. */
async function waitForCode(readCode: () => string | undefined, interval: number): Promise<string> {
  for (let n = 0; n < maxPolls; n += 1) {
    const code = readCode();
    if (code) return code;
    await pause(interval);
  }
  throw new CheckSkipped("no login code could be read");
}

/** Reads codes from the outbox of the console sender: a line of JSON `{to, code, at}` per message. */
export function fromOutbox(file: string): CodeSource {
  const readLines = () => {
    try {
      return readFileSync(file, "utf8").split("\n").filter(Boolean);
    } catch {
      return [];
    }
  };
  return {
    getCode: (mobile, since) =>
      waitForCode(() => {
        const messages = readLines().map((line): { to: string; code: string; at: string } => JSON.parse(line));
        return messages.findLast(({ to, at }) => to === mobile && Date.parse(at) >= since.getTime() - 1000)?.code;
      }, 200),
  };
}

/** Reads codes from the output of a command; $MOBILE is the number, $SINCE the time of sending. */
export function fromCommand(command: string): CodeSource {
  return {
    getCode: (mobile, since) =>
      waitForCode(() => {
        const env = { ...process.env, MOBILE: mobile, SINCE: since.toISOString() };
        const { stdout } = spawnSync(command, { shell: true, encoding: "utf8", env });
        return /(?<!\d)\d{6}(?!\d)/.exec(stdout ?? "")?.[0];
      }, 1000),
  };
}

/** Prompts for the code at the terminal. */
export const fromTerminal: CodeSource = {
  async getCode(mobile) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const code = await terminal.question(`Code sent to ${mobile}: `);
    terminal.close();
    return code.trim();
  },
};
