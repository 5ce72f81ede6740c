import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";

/** The project's folder; commands run in it wherever they are called from. */
export const root = join(import.meta.dirname, "..");

const children = new Set<ChildProcess>();

export interface Ended {
  /** As a shell would say it: 128 + the signal's number when a signal ended it. */
  status: number;
}

type Environment = Record<string, string | undefined>;

interface Options {
  cwd?: string;
  /** What `env` is put over. */
  inherited?: Environment;
}

/** Starts a Node program that ends with us, in the project's folder or another. `args` begin with a file. */
export function startNode(
  args: string[],
  env: Environment,
  stdio: StdioOptions,
  { cwd = root, inherited = process.env }: Options = {},
): ChildProcess {
  const child = spawn(process.execPath, args, { cwd, env: { ...inherited, ...env }, stdio });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

export function waitForExit(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve({ status: code ?? 128 + (signal ? constants.signals[signal] : 0) }));
  });
}

/** Asks every child to end, waits for it, and after `patience` ms ends what is left. */
export async function endChildren(patience = 10_000): Promise<void> {
  const left = [...children];
  const all = Promise.all(left.map((child) => new Promise((resolve) => child.once("exit", resolve))));
  for (const child of left) child.kill("SIGTERM");
  const timer = setTimeout(() => {
    for (const child of left) child.kill("SIGKILL");
  }, patience);
  await all;
  clearTimeout(timer);
}

/** On Ctrl-C or SIGTERM: children first, then us, with `status`: 0 where being asked to end is no failure. Answers whether that has begun. */
export function endOnSignal(status = 0): () => boolean {
  let asked = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, async () => {
      if (asked) return;
      asked = true;
      await endChildren();
      process.exit(status);
    });
  }
  return () => asked;
}
