import { join } from "node:path";
import { execa } from "execa";
import { root } from "../rules/sources.ts";

/** Runs an operator command, `npm run <name> -- …`, with these variables only, and returns its trimmed output. */
export async function runCommand(env: Record<string, string>, name: string, ...args: string[]) {
  const { exitCode, all } = await execa(process.execPath, ["scripts/operator.ts", name, ...args], {
    cwd: join(import.meta.dirname, "../../.."),
    env: { PATH: process.env.PATH, ENV_FILE: "", ...env },
    extendEnv: false,
    stdin: "ignore",
    all: true,
    reject: false,
  });
  return { status: exitCode, printed: all.trim() };
}

export interface Script {
  /** Resolves with its exit status, null after a signal. */
  ended: Promise<number | null>;
  /** Returns its output so far. */
  printed(): string;
  /** Waits until the output contains `text` `times` times. Rejects with the output when the script ends earlier. */
  until(text: string, times?: number): Promise<void>;
  /** Sends a signal and returns the exit status. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Runs one of the project's scripts; variables that are undefined are not set. */
export function runScript(file: string, env: Record<string, string | undefined>, folder = root): Script {
  const child = execa(process.execPath, [file], {
    cwd: folder,
    env,
    all: true,
    buffer: false,
    reject: false,
    forceKillAfterDelay: false,
  });
  const ended = child.then(({ exitCode }) => exitCode ?? null);
  let printed = "";
  child.all.setEncoding("utf8").on("data", (chunk: string) => (printed += chunk));
  return {
    ended,
    printed: () => printed,
    async until(text, times = 1) {
      while (printed.split(text).length <= times) {
        if (child.exitCode !== null) throw new Error(`It ended before it printed ${text}:\n${printed}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async end(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}
