import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { root } from "./sources.ts";

export interface Script {
  child: ChildProcess;
  /** Returns its output so far. */
  printed(): string;
  /** Waits until the output contains `text` `times` times. Rejects with the output when the script ends earlier. */
  until(text: string, times?: number): Promise<void>;
  /** Sends a signal and returns the exit status. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Runs one of the project's scripts; variables that are undefined are not set. */
export function runScript(file: string, env: Record<string, string | undefined>, folder = root): Script {
  const child = spawn(process.execPath, [file], { cwd: folder, env: { ...process.env, ...env } });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => (printed += chunk));
  return {
    child,
    printed: () => printed,
    async until(text, times = 1) {
      while (printed.split(text).length <= times) {
        if (child.exitCode !== null) throw new Error(`It ended before it printed ${text}:\n${printed}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async end(signal = "SIGTERM") {
      child.kill(signal);
      if (child.exitCode === null) await once(child, "exit");
      return child.exitCode;
    },
  };
}
