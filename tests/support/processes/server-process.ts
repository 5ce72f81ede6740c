import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { Guard } from "../removed-guards/remove-guards.ts";

export interface ServerProcess {
  origin: string;
  child: ChildProcess;
  /** Returns the output so far. */
  output(): string;
  ended: Promise<{ status: number | null; output: string }>;
}

const running = new Map<ChildProcess, Promise<unknown>>();
const folders = new Set<string>();
const root = join(import.meta.dirname, "../../..");

/** Creates a DATA_DIR, empty or with the seeded embedded database. */
export function newFolder(content: "empty" | "seeded" = "empty"): string {
  const folder = mkdtempSync(join(tmpdir(), "entrance-server-"));
  folders.add(folder);
  if (content === "seeded") cpSync(inject("seededFolder"), folder, { recursive: true });
  return folder;
}

/** Kills all running servers and deletes the folders. Called in `afterEach`. */
export async function stopServersAndRemoveFolders(): Promise<void> {
  for (const child of running.keys()) child.kill("SIGKILL");
  await Promise.all(running.values());
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

/** Starts a server process from the sources in `folder`, as an argument of `command` if there is one. Without the `removed` guards, or with SWEEP_EVERY, it starts `server-without-guards.ts`. */
export function spawnServer(
  env: Record<string, string>,
  removed: Guard[] = [],
  folder = root,
  command: string[] = [],
): Omit<ServerProcess, "origin"> {
  const entry =
    removed.length > 0 || env.SWEEP_EVERY ? "tests/support/removed-guards/server-without-guards.ts" : "server/index.ts";
  const [program = "", ...args] = [...command, process.execPath, entry, ...removed];
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: "0", ENV_FILE: "", FLOOD_PER_MINUTE: "0", ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "close").then(([status]) => {
    running.delete(child);
    return { status: typeof status === "number" ? status : null, output };
  });
  running.set(child, once(child, "exit"));
  return { child, output: () => output, ended };
}

/** Starts a server process and waits until it listens. */
export async function startServer(
  env: Record<string, string>,
  removed: Guard[] = [],
  folder = root,
  command: string[] = [],
): Promise<ServerProcess> {
  const server = spawnServer(env, removed, folder, command);
  const listening = once(server.child, "message").then(([message]) => String(message.listening));
  const origin = await Promise.race([
    listening,
    server.ended.then(({ output }) => Promise.reject(new Error(`ended early: ${output}`))),
  ]);
  return { ...server, origin };
}

/** Returns the environment of a server on PostgreSQL. */
export const withPostgres = (url: string, folder: string) => ({
  DATABASE_URL: url,
  DATA_DIR: folder,
  SMS: "console",
  PAYMENT: "sandbox",
  ACTIVATE_NEW_MEMBERS: "true",
});

/** Waits for the last code that a server delivered to a number, at most 2 s. */
export async function deliveredTo(folder: string, mobile: string): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const messages = readOutbox(folder).filter(({ to }) => to === mobile);
    const last = messages.at(-1);
    if (last) return last.code;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("no code was delivered");
}

function readOutbox(folder: string): { to: string; code: string; at: string }[] {
  try {
    const lines = readFileSync(join(folder, "outbox.jsonl"), "utf8").split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}
