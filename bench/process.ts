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

/** Programs of the benchmark's own: `start(["bench/process.ts", <name>, …])`. */
const programs: Record<string, (args: string[]) => Promise<void>> = { empty: serveEmpty, open: openEmbedded };

/** Serves an empty handler: the floor for the measurements of the API server. */
async function serveEmpty(): Promise<void> {
  const [{ createAdaptorServer }, { Hono }] = await Promise.all([import("@hono/node-server"), import("hono")]);
  const app = new Hono();
  app.all("*", (c) => c.json({ code: 1, msg: "", data: {} }));
  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.({ listening: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}` });
  });
}

/** Sends the time to load and open the embedded database in a folder, in ms. */
async function openEmbedded([folder = ""]: string[]): Promise<void> {
  const { openDatabase } = await import("../server/db/open.ts");
  const began = performance.now();
  const { close } = await openDatabase({ DATA_DIR: folder, DATABASE_URL: null, DEMO: false }, () => new Date());
  process.send?.({ opened: performance.now() - began });
  await close();
}

if (import.meta.main) await programs[process.argv[2] ?? ""]?.(process.argv.slice(3));
