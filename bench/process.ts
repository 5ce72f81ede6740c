import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

const children = new Set<ChildProcess>();

export interface BenchProcess {
  child: ChildProcess;
  /** What it said first. */
  firstMessage: Record<string, unknown>;
}

/** Starts a Node program, and waits until it sends its first message. */
export async function start(args: string[], env: Record<string, string> = {}): Promise<BenchProcess> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ENV_FILE: "", ...env },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  const [firstMessage] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error(`${args.join(" ")} ended early`))),
  ]);
  return { child, firstMessage };
}

export async function stop(...started: BenchProcess[]): Promise<void> {
  const ends = started.map(({ child }) => (child.exitCode === null ? once(child, "exit") : null));
  for (const { child } of started) child.kill("SIGTERM");
  await Promise.all(ends);
}

/** Memory that a process holds, in MB: all of it, not only what it may share. */
export function readMemory({ child }: BenchProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});
