import { ConfigError } from "./config/config.ts";
import { databaseFault } from "./db/database.ts";
import { LockedError } from "./db/lock.ts";
import { drain } from "./http/drain.ts";
import type { Listener } from "./http/listener.ts";
import { OperatorError } from "./lib/operator-error.ts";

/** In ms. */
const releasing = 2_500;

/** Runs the start. What a person can mend is said in one sentence, without a stack; the status is 1. */
export async function runMain(start: () => Promise<void>): Promise<void> {
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

interface Ending {
  /** Called first. */
  begin(): void;
  /** Called when everything is answered; what takes longer than 2.5 s is left as it is. */
  release(): Promise<void>;
}

/**
 * On SIGTERM: answers what has been asked, takes no more connections, releases; status 0 within 10 s. SIGINT, a second signal or the end of the parent
 * leave out what waits for proxies in front.
 */
export function shutDownGracefully(listener: Listener, { begin, release }: Ending): void {
  const hurry = new AbortController();
  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    begin();
    await drain(listener, hurry.signal);
    // A connection to a database that hangs is not waited for.
    const late = setTimeout(() => {
      console.error("What the host had open did not end in time.");
      process.exit(0);
    }, releasing);
    await release();
    clearTimeout(late);
    process.exit(0);
  };
  const endAtOnce = () => {
    hurry.abort();
    void end();
  };
  process.on("SIGTERM", () => (ending ? endAtOnce() : void end()));
  process.on("SIGINT", endAtOnce);
  // A start script that was killed leaves no host behind.
  process.on("disconnect", endAtOnce);
  listener.server.on("error", (error) => {
    console.error(`The host could not listen: ${error.message}`);
    void release().finally(() => process.exit(1));
  });
}
