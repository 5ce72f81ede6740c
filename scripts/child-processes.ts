// Starts the API server and other child processes of commands, waits for them, and ends them before this process.

import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

/** The project's folder. */
export const root = join(import.meta.dirname, "..");

const children = new Set<ChildProcess>();

export interface Exit {
  /** Exit code, or 128 + the number of the signal. */
  status: number;
}

type Environment = Record<string, string | undefined>;

// Not execa: exit codes of signals, and ending the children before this process, would still need code of our own, and `npm start` would load 22 more packages.
/** Starts a Node program as a child in the project's folder. `args` begin with a file; `env` overrides `inherited`. */
export function startNode(
  args: string[],
  env: Environment,
  stdio: StdioOptions,
  inherited: Environment = process.env,
): ChildProcess {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...inherited, ...env }, stdio });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

export function waitForExit(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve({ status: code ?? 128 + (signal ? constants.signals[signal] : 0) }));
  });
}

/** Sends SIGTERM to all children, and SIGKILL after `killTimeout` ms. */
export async function endChildren(killTimeout = 10_000): Promise<void> {
  const running = [...children];
  const all = Promise.all(running.map((child) => new Promise((resolve) => child.once("exit", resolve))));
  for (const child of running) child.kill("SIGTERM");
  const timer = setTimeout(() => {
    for (const child of running) child.kill("SIGKILL");
  }, killTimeout);
  await all;
  clearTimeout(timer);
}

/** Ends the children, then this process with `status`, on SIGINT (Ctrl-C), SIGTERM or SIGHUP. Returns a function that returns whether that has begun. */
export function endOnSignal(status = 0): () => boolean {
  let isEnding = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, async () => {
      if (isEnding) return;
      isEnding = true;
      await endChildren();
      process.exit(status);
    });
  }
  return () => isEnding;
}

/** Removes what processes that no longer run have left in a folder. `name` matches such a folder's name, and captures the process id in it. */
export function cleanStale(folder: string, name: RegExp): void {
  for (const entry of readdirSync(folder)) {
    const pid = Number(name.exec(entry)?.[1] ?? 0);
    if (pid && pid !== process.pid && !isAlive(pid)) rmSync(join(folder, entry), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The API server as a child. */
export interface Server {
  origin: string;
  child: ChildProcess;
  /** Resolves with the exit status of the server. */
  ended: Promise<Exit>;
}

/** Starts the API server and waits until it listens. If it exits before that, it has printed the reason, and its exit status is returned. `output`: file descriptor for its output. */
export async function startServer(env: Environment, { output }: { output?: number } = {}): Promise<Server | Exit> {
  const to = output ?? "inherit";
  const child = startNode(["server/index.ts"], env, ["inherit", to, to, "ipc"]);
  const end = waitForExit(child);
  const listening = new Promise<string>((resolve) => {
    child.on("message", (message) => {
      if (typeof message === "object" && message && "listening" in message) resolve(String(message.listening));
    });
  });
  const first = await Promise.race([listening, end]);
  return typeof first === "string" ? { origin: first, child, ended: end } : first;
}
