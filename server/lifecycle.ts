import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { getSqlState, isDatabaseUnavailable, unwrapDatabaseError } from "./db/database.ts";
import { OperatorError } from "./lib/errors.ts";

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

// In ms. Together a process ends within 10 s of its signal.
/** Time during which connections are still accepted while /readyz returns 503, so that load balancers choose another server. */
const readinessDelay = 1_500;
/** Time that idle connections stay open after that, for a request in transit: a proxy cannot retry a POST. */
const idleDelay = 1_500;
/** Time for the requests in flight after that. */
const closeTimeout = 4_000;
/** Time for `release`. */
const releaseTimeout = 2_500;

/** Resolves when the last connection has closed, at most 7 s later. `skipWaiting` skips the waiting for proxies. */
async function drain(server: Server, skipWaiting: AbortSignal): Promise<void> {
  const pause = (ms: number) => wait(ms, null, { signal: skipWaiting }).catch(() => {});
  const connections = await new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  if (connections > 0) await pause(readinessDelay);
  // `close` of an HTTP server closes idle connections at once; `close` of a net server does not.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
  await Promise.race([closed, pause(idleDelay)]);
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
  const closeAll = setTimeout(() => server.closeAllConnections(), closeTimeout);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(closeAll);
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
export function shutDownGracefully(server: Server, { begin, release }: ShutdownSteps): void {
  const skipWaiting = new AbortController();
  let isShuttingDown = false;
  const shutDown = async () => {
    if (isShuttingDown) return;
    isShuttingDown = true;
    begin();
    await drain(server, skipWaiting.signal);
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
  server.on("error", (error) => {
    console.error(`The server could not listen: ${error.message}`);
    void release().finally(() => process.exit(1));
  });
}
