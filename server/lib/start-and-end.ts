import type { Server } from "node:http";
import { ConfigError } from "../config.ts";
import { databaseFault } from "../db/database.ts";
import { LockedError } from "../db/lock.ts";
import { OperatorError } from "../operator/command.ts";

const patience = 7_000;
const releasing = 2_500;

/** Runs the start. What a person can mend is said in one sentence, without a stack; the status is 1. */
export async function startOrSay(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    console.error(sentenceOf(error));
    process.exit(1);
  }
}

function sentenceOf(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof LockedError || error instanceof OperatorError) return error.message;
  const fault = databaseFault(error);
  if (fault instanceof Error && "code" in fault) return `The host could not start: ${fault.message || String(fault.code)}`;
  return fault;
}

/** On SIGTERM or SIGINT: takes no more connections, finishes what was asked, then `release`; status 0 within 10 s. */
export function endCleanly(server: Server, release: () => Promise<void>): void {
  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    const closed = new Promise((resolve) => server.close(resolve));
    // A connection that was busy when the server closed becomes idle later: it would hold the end up until it times out.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const cut = setTimeout(() => server.closeAllConnections(), patience);
    await closed;
    clearInterval(sweep);
    clearTimeout(cut);
    // Everything is answered: a connection to a database that hangs is not waited for.
    const late = setTimeout(() => {
      console.error("What the host had open did not end in time.");
      process.exit(0);
    }, releasing);
    await release();
    clearTimeout(late);
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  // A start script that was killed leaves no host behind.
  process.on("disconnect", end);
  server.on("error", (error) => {
    console.error(`The host could not listen: ${error.message}`);
    void release().finally(() => process.exit(1));
  });
}
