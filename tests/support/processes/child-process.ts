import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { inject, onTestFinished } from "vitest";
import { root } from "#scripts/child-processes.ts";

export interface ServerProcess {
  origin: string;
  child: ChildProcess;
  /** Returns the output so far. */
  output(): string;
  ended: Promise<{ status: number | null; output: string }>;
}

const running = new Map<ChildProcess, Promise<unknown>>();
const folders = new Set<string>();

/** Runs `end` after the test that calls; what a hook starts ends with `stopServersAndRemoveFolders`. */
function afterTest(end: () => unknown): void {
  try {
    onTestFinished(async () => void (await end()));
  } catch {}
}

/** Creates a DATA_DIR, empty or with the seeded embedded database. */
export function newFolder(content: "empty" | "seeded" = "empty"): string {
  const folder = mkdtempSync(join(tmpdir(), "entrance-server-"));
  folders.add(folder);
  afterTest(() => removeFolder(folder));
  if (content === "seeded") cpSync(inject("seededFolder"), folder, { recursive: true });
  return folder;
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await running.get(child);
}

/** Kills the servers and deletes the folders that a hook has started. */
export async function stopServersAndRemoveFolders(): Promise<void> {
  await Promise.all([...running.keys()].map(kill));
  for (const folder of folders) removeFolder(folder);
}

/** These servers live for seconds. To optimize the WebAssembly of PGlite takes two of them, for which their exit waits. */
const unoptimized = ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"];

/** Starts a server process from the sources in `folder`, as an argument of `command` if there is one. */
export function spawnServer(env: Record<string, string>, folder = root, command: string[] = []): Omit<ServerProcess, "origin"> {
  const [program = "", ...args] = [...command, process.execPath, ...unoptimized, "server/index.ts"];
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: "0", ENV_FILE: "", FLOOD_PER_MINUTE: "0", REQUEST_LOG: "off", ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "close").then(([status]) => {
    running.delete(child);
    return { status: typeof status === "number" ? status : null, output };
  });
  running.set(child, once(child, "exit"));
  afterTest(() => kill(child));
  return { child, output: () => output, ended };
}

/** Starts a server process and waits until it listens. */
export async function startServer(env: Record<string, string>, folder = root, command: string[] = []): Promise<ServerProcess> {
  const server = spawnServer(env, folder, command);
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

/** Runs an operator command, `npm run <name> -- …`, with these variables only, and returns its trimmed output. */
export async function runCommand(env: Record<string, string>, name: string, ...args: string[]) {
  const { exitCode, all } = await execa(process.execPath, ["scripts/operator-command.ts", name, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ENV_FILE: "", ...env },
    extendEnv: false,
    stdin: "ignore",
    all: true,
    reject: false,
  });
  return { status: exitCode, printed: all.trim() };
}

/** Runs one of the project's scripts to its end; `all` of the result is what it has printed. */
export const runToEnd = (script: string, args: string[], env: Record<string, string | undefined>) =>
  execa(process.execPath, [`scripts/${script}.ts`, ...args], { cwd: root, env, all: true, reject: false });

/** Returns the variable by which a command and each Node program that it starts runs some code first. */
export const preload = (code: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` });

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

/** Runs one of the project's scripts, alone or with its arguments; variables that are undefined are not set. */
export function runScript(file: string | string[], env: Record<string, string | undefined>, folder = root): Script {
  const child = execa(process.execPath, [file].flat(), {
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

const paths = [
  "i18n",
  "public",
  "scripts",
  "server",
  "src",
  "astro.config.mjs",
  "package-lock.json",
  "package.json",
  "tailwind.config.mjs",
  "tsconfig.json",
];

/** Copies the sources, or some of them, into a new folder, which shares only the packages; returns the folder. */
export function copySources(names = paths): string {
  const copy = mkdtempSync(join(tmpdir(), "entrance-copy-"));
  for (const name of names) cpSync(join(root, name), join(copy, name), { recursive: true });
  mkdirSync(join(copy, "node_modules"));
  // Builds write to folders that begin with a dot.
  for (const name of readdirSync(join(root, "node_modules")).filter((name) => !name.startsWith(".")))
    symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
  return copy;
}
