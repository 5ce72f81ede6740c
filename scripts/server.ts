import type { ChildProcess } from "node:child_process";
import { startNode, waitForExit } from "./process.ts";

export interface Server {
  origin: string;
  child: ChildProcess;
  /** Resolves with the exit status of the server. */
  ended: Promise<{ status: number }>;
}

interface Options {
  nodeArgs?: string[];
  /** A file descriptor for its output; default: ours. */
  output?: number;
}

/** Starts the API server and waits until it listens. Returns its exit status when it exits before that; it has printed the reason. */
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
