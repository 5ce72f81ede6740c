import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import getPort from "get-port";
import { expect, onTestFinished } from "vitest";
import { newFolder } from "../processes/child-process.ts";

/** Returns the path of PgBouncer, or null. Searches PATH and Debian's location, which is often not on PATH. */
function findPgBouncer(): string | null {
  const folders = [...(process.env.PATH ?? "").split(":"), "/usr/sbin"];
  return folders.map((folder) => join(folder, "pgbouncer")).find((path) => existsSync(path)) ?? null;
}

/** For `describe.skipIf`: returns true when PgBouncer is missing. Throws when REQUIRE_PGBOUNCER is set. */
export function isWithoutPgBouncer(): boolean {
  if (findPgBouncer()) return false;
  const message = "PgBouncer was not found: tests on it are skipped (Debian: apt-get install pgbouncer)";
  if (process.env.REQUIRE_PGBOUNCER) throw new Error(message);
  console.warn(message);
  return true;
}

/** Starts PgBouncer with the settings that it is installed with, beside `more`, until the test ends. Returns the URL of a database through it. */
export async function startPgBouncer(url: string, mode: "session" | "transaction", more: string[] = []): Promise<string> {
  const program = findPgBouncer();
  if (!program) throw new Error("there is no PgBouncer");
  const port = await getPort();
  const { hostname, port: target, pathname } = new URL(url);
  const folder = newFolder();
  // For the user of the process.
  chmodSync(folder, 0o755);
  const file = join(folder, "pgbouncer.ini");
  const settings = [
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    `pool_mode = ${mode}`,
    ...more,
  ];
  const database = `${pathname.slice(1)} = host=${hostname} port=${target} user=postgres`;
  writeFileSync(file, `[databases]\n${database}\n[pgbouncer]\n${settings.join("\n")}\n`);
  // It refuses to run as root.
  const child = spawn(program, [...(process.getuid?.() === 0 ? ["-u", "postgres"] : []), file], { stdio: "ignore" });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const accepts = () =>
    new Promise<boolean>((resolve) => {
      const socket = createConnection(port, "127.0.0.1");
      socket.on("connect", () => resolve(socket.destroy() !== null)).on("error", () => resolve(false));
    });
  await expect.poll(accepts, { timeout: 20_000 }).toBe(true);
  return `postgres://postgres@127.0.0.1:${port}${pathname}`;
}
