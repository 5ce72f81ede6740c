import { chmodSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import * as v from "valibot";
import { databaseFault } from "../db/database.ts";
import { OperatorError } from "../lib/operator-error.ts";
import type { Command } from "./command.ts";

const request = v.object({ command: v.string(), args: v.array(v.string()) });
type Request = v.InferOutput<typeof request>;

export interface Reply {
  status: 0 | 1;
  text: string;
}

/** What a system takes as the address of a socket. */
const longest = 100;
const largest = 64 * 1024;

export const getSocketPath = (folder: string) => join(folder, "operator.sock");

/**
 * Hears the operator's commands while the host has the embedded database, which only one process may have: a socket in its folder, for the user who started
 * the host alone. There is no port. Null where the folder's name is too long for one.
 */
export function listenForCommands(folder: string, commands: Record<string, Command>): Server | null {
  const file = getSocketPath(folder);
  if (Buffer.byteLength(file) > longest) return null;
  // Left by a host that was killed: the folder is ours.
  rmSync(file, { force: true });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let asked = "";
    socket.setEncoding("utf8").setTimeout(60_000, () => socket.destroy());
    socket.on("error", () => {});
    socket.on("data", (text: string) => {
      asked += text;
      if (asked.length > largest) socket.destroy();
    });
    socket.on("end", async () => {
      // What was asked may take its time.
      socket.setTimeout(0);
      socket.end(JSON.stringify(await answer(commands, asked)));
    });
  });
  const before = process.umask(0o177);
  server.listen(file, () => chmodSync(file, 0o600));
  process.umask(before);
  return server;
}

async function answer(commands: Record<string, Command>, asked: string): Promise<Reply> {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), request), asked);
  if (!read.success) return { status: 1, text: "The host does not understand this command." };
  return run(commands, read.output.command, read.output.args);
}

/** Carries a command out. Never throws. */
export async function run(commands: Record<string, Command>, command: string, args: string[]): Promise<Reply> {
  const found = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!found) return { status: 1, text: `There is no command ${command}.` };
  try {
    return { status: 0, text: await found(args) };
  } catch (error) {
    if (error instanceof OperatorError) return { status: 1, text: error.message };
    const fault = databaseFault(error);
    // The stack alone, as for requests: the rest may hold values of rows.
    console.error(`A command failed: ${fault instanceof Error ? fault.stack : String(fault)}`);
    return { status: 1, text: "The command failed: the host has said why." };
  }
}

/** Has a running host carry a command out; null when there is none. */
export function sendCommand(folder: string, request: Request): Promise<Reply | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(getSocketPath(folder));
    let said = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    socket.on("connect", () => socket.end(JSON.stringify(request)));
    socket.on("end", () => {
      try {
        resolve(JSON.parse(said));
      } catch {
        reject(new OperatorError("The host ended before it had answered: look whether the command was carried out."));
      }
    });
    socket.on("error", (error) => {
      const nobody = "code" in error && ["ENOENT", "ECONNREFUSED", "ENOTSOCK", "EINVAL"].includes(String(error.code));
      if (nobody) resolve(null);
      else reject(error);
    });
  });
}
