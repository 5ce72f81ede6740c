import { getSqlState, isDatabaseUnavailable, unwrapDatabaseError } from "./db/database.ts";
import type { Listener } from "./http/listener.ts";
import { drain } from "./http/listener.ts";
import { OperatorError } from "./lib/errors.ts";

/** Time for `release`, in ms. */
const releaseTimeout = 2_500;

/** Runs a program's `main`. Prints an OperatorError as one sentence without a stack, and exits with status 1 on any error. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(formatStartError(error));
    process.exit(1);
  }
}

function formatStartError(error: unknown): unknown {
  if (error instanceof OperatorError) return error.message;
  // Its stack names the file and the line.
  if (error instanceof SyntaxError) return error.stack;
  const cause = unwrapDatabaseError(error);
  const state = getSqlState(cause);
  if (cause instanceof Error && (state || isDatabaseUnavailable(cause)))
    return `The server could not start: ${cause.message || state}`;
  return cause;
}

interface ShutdownSteps {
  /** Called first. */
  begin(): void;
  /** Called after the last response; abandoned after 2.5 s. */
  release(): Promise<void>;
}

/**
 * Shuts down on SIGTERM: finishes the requests in flight, closes the port, releases resources and exits with status 0 within 10 s. SIGINT, a second signal or
 * the end of the parent process skip the waiting for proxies.
 */
export function shutDownGracefully(listener: Listener, { begin, release }: ShutdownSteps): void {
  const skipWaiting = new AbortController();
  let isShuttingDown = false;
  const shutDown = async () => {
    if (isShuttingDown) return;
    isShuttingDown = true;
    begin();
    await drain(listener, skipWaiting.signal);
    // A hanging database connection must not delay the exit.
    const timer = setTimeout(() => {
      console.error("The server could not release its resources in time.");
      process.exit(0);
    }, releaseTimeout);
    await release();
    clearTimeout(timer);
    process.exit(0);
  };
  const shutDownNow = () => {
    skipWaiting.abort();
    void shutDown();
  };
  process.on("SIGTERM", () => (isShuttingDown ? shutDownNow() : void shutDown()));
  process.on("SIGINT", shutDownNow);
  // When a start script is killed, its server ends too.
  process.on("disconnect", shutDownNow);
  listener.server.on("error", (error) => {
    console.error(`The server could not listen: ${error.message}`);
    void release().finally(() => process.exit(1));
  });
}
