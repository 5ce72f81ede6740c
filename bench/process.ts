import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

const children = new Set<ChildProcess>();

export interface BenchProcess {
  child: ChildProcess;
  /** The first message that it sent. */
  firstMessage: Record<string, unknown>;
}

/** Starts a Node program and waits for its first message. */
export async function start(args: string[], env: Record<string, string> = {}): Promise<BenchProcess> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ENV_FILE: "", ...env },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  const [firstMessage] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error(`${args.join(" ")} exited before its first message`))),
  ]);
  return { child, firstMessage };
}

export async function stop(...processes: BenchProcess[]): Promise<void> {
  const exits = processes.map(({ child }) => (child.exitCode === null ? once(child, "exit") : null));
  for (const { child } of processes) child.kill("SIGTERM");
  await Promise.all(exits);
}

/** Returns the resident memory of a process in MB, shared pages included. */
export function readMemory({ child }: BenchProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});
