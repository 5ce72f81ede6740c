import type { ChildProcess } from "node:child_process";
import { startNode, waitForExit } from "./process.ts";

export interface Server {
  origin: string;
  child: ChildProcess;
  /** Resolves with its status when the host ends, for whatever reason. */
  ended: Promise<{ status: number }>;
}

interface Options {
  nodeArgs?: string[];
  /** A file descriptor for what it says, instead of our own output. */
  output?: number;
}

/** Starts the API host and waits until it says where it listens. A bare status when it ended before that (it has said why). */
export async function startServer(
  env: Record<string, string | undefined>,
  { nodeArgs = [], output }: Options = {},
): Promise<Server | { status: number }> {
  const to = output ?? "inherit";
  const child = startNode([...nodeArgs, "server/index.ts"], env, ["inherit", to, to, "ipc"]);
  const end = waitForExit(child);
  const listening = new Promise<string>((resolve) => {
    child.on("message", (message) => {
      if (typeof message === "object" && message && "listening" in message) resolve(String(message.listening));
    });
  });
  const first = await Promise.race([listening, end]);
  return typeof first === "string" ? { origin: first, child, ended: end } : first;
}
