import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { Guard } from "./unguarded/remove-guards.ts";

export interface ServerProcess {
  origin: string;
  child: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  ended: Promise<{ status: number | null; output: string }>;
}

const running = new Map<ChildProcess, Promise<unknown>>();
const folders = new Set<string>();
const root = join(import.meta.dirname, "../..");

/** A DATA_DIR: with nothing in it, or with the embedded database as it is when seeded. */
export function newFolder(content: "empty" | "seeded" = "empty"): string {
  const folder = mkdtempSync(join(tmpdir(), "entrance-server-"));
  folders.add(folder);
  if (content === "seeded") cpSync(inject("seededFolder"), folder, { recursive: true });
  return folder;
}

/** For `afterEach`: ends what is still running, and takes the folders away. */
export async function clearUp(): Promise<void> {
  for (const child of running.keys()) child.kill("SIGKILL");
  await Promise.all(running.values());
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

/** Starts a server as a process of its own, as an operator would; with guards taken out, or SWEEP_EVERY set, as a test does; from other sources; by another program. */
export function spawnServer(
  env: Record<string, string>,
  unguarded: Guard[] = [],
  folder = root,
  by: string[] = [],
): Omit<ServerProcess, "origin"> {
  const entry = unguarded.length > 0 || env.SWEEP_EVERY ? "tests/support/unguarded-server.ts" : "server/index.ts";
  const [program = "", ...args] = [...by, process.execPath, entry, ...unguarded];
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: "0", ENV_FILE: "", FLOOD_PER_MINUTE: "0", ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const ended = once(child, "close").then(([status]) => {
    running.delete(child);
    return { status: typeof status === "number" ? status : null, output: printed };
  });
  running.set(child, once(child, "exit"));
  return { child, output: () => printed, ended };
}

/** The same, and waits until it listens. */
export async function startServer(
  env: Record<string, string>,
  unguarded: Guard[] = [],
  folder = root,
  by: string[] = [],
): Promise<ServerProcess> {
  const server = spawnServer(env, unguarded, folder, by);
  const listening = once(server.child, "message").then(([message]) => String(message.listening));
  const origin = await Promise.race([
    listening,
    server.ended.then(({ output }) => Promise.reject(new Error(`ended early: ${output}`))),
  ]);
  return { ...server, origin };
}

/** What a server on PostgreSQL needs besides the address. */
export const withPostgres = (url: string, folder: string) => ({
  DATABASE_URL: url,
  DATA_DIR: folder,
  SEED: "demo",
  SMS: "console",
  PAYMENT: "sandbox",
  ACTIVATE_NEW_MEMBERS: "true",
});

export async function post(origin: string, path: string, body: object, token = "") {
  const headers = { "content-type": "application/json", "device-type": "web", token };
  const answer = await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) });
  const { code, data } = await answer.json();
  return { status: answer.status, code: Number(code), data };
}

/** The last code that a server delivered to a number. */
export async function deliveredTo(folder: string, mobile: string): Promise<string> {
  for (let waited = 0; waited < 100; waited += 1) {
    const lines = readOutbox(folder).filter(({ to }) => to === mobile);
    const last = lines.at(-1);
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
