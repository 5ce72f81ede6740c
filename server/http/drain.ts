import { Server } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Connections } from "./connections.ts";
import type { Listener } from "./listener.ts";

// In ms. Together with releasing resources afterwards, a process ends within 10 s of its signal.
/** Time during which new connections are still accepted while /readyz returns 503, so that load balancers choose another server. */
const readinessDelay = 1_500;
/** Time that idle connections stay open after that, for a request in transit: a proxy cannot retry a POST. */
const idleDelay = 1_500;
/** Time after which remaining connections are closed, counted from the signal. */
const closeTimeout = 7_000;

/** Resolves when the last connection has closed, at most 7 s later. `skipWaiting` skips the waiting for proxies. */
export async function drain({ server, connections }: Listener, skipWaiting: AbortSignal): Promise<void> {
  const closeTimer = setTimeout(connections.closeAll, closeTimeout);
  if (connections.count() > 0) await pause(readinessDelay, skipWaiting);
  await waitForQuietMoment(connections);
  // `close` of an HTTP server closes idle connections at once; `close` of a net server does not.
  const closed = new Promise((resolve) => Server.prototype.close.call(server, resolve));
  connections.closeAfterResponse();
  const bytesRead = connections.getBytesRead();
  const stalledTimer = setTimeout(() => connections.closeStalled(bytesRead), idleDelay);
  await Promise.race([closed, pause(idleDelay, skipWaiting)]);
  // A busy connection becomes idle later.
  const idleTimer = setInterval(() => waitForQuietMoment(connections).then(connections.closeIdle), 50);
  await closed;
  clearInterval(idleTimer);
  clearTimeout(stalledTimer);
  clearTimeout(closeTimer);
}

async function pause(ms: number, skipWaiting: AbortSignal): Promise<void> {
  await wait(ms, null, { signal: skipWaiting }).catch(() => {});
}

/**
 * Resolves when the event loop has just polled all sockets without activity, at most 200 ms later. The system resets connections that a closed port has not
 * accepted and requests that a closed connection has not read; at a quiet moment there are hardly any.
 */
async function waitForQuietMoment(connections: Connections): Promise<void> {
  const deadline = performance.now() + 200;
  for (let polledAt = performance.now(), activity = connections.activity(); polledAt < deadline; ) {
    await new Promise(setImmediate);
    const now = performance.now();
    if (connections.activity() === activity && now - polledAt < 0.3) return;
    polledAt = now;
    activity = connections.activity();
  }
}
