import { Server } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Connections } from "./connections.ts";
import type { Listener } from "./listener.ts";

// In ms. With all of them, and what is released after it, a process ends within 10 s of its signal.
/** How long connections are still accepted while /readyz answers 503: proxies that watch it choose another server meanwhile. */
const grace = 1_500;
/** How long an idle connection stays open after that, for a request that is on its way: closed under it, a proxy cannot repeat a POST. */
const farewell = 1_500;
/** When what is still open is cut, from the signal on. */
const patience = 7_000;

/** Resolves when the last connection has closed, 7 s after the call at the latest. `hurry` leaves out what waits for proxies. */
export async function drain({ server, connections }: Listener, hurry: AbortSignal): Promise<void> {
  const cut = setTimeout(connections.closeAll, patience);
  if (connections.count() > 0) await pause(grace, hurry);
  await quietMoment(connections);
  // Node's own `close` of an HTTP server cuts idle connections at once.
  const closed = new Promise((resolve) => Server.prototype.close.call(server, resolve));
  connections.closeAfterAnswer();
  const progress = connections.progress();
  const stalled = setTimeout(() => connections.closeStalled(progress), farewell);
  await Promise.race([closed, pause(farewell, hurry)]);
  // A connection that is busy now becomes idle later.
  const sweep = setInterval(() => quietMoment(connections).then(connections.closeIdle), 50);
  await closed;
  clearInterval(sweep);
  clearTimeout(stalled);
  clearTimeout(cut);
}

async function pause(ms: number, hurry: AbortSignal): Promise<void> {
  await wait(ms, null, { signal: hurry }).catch(() => {});
}

/**
 * Resolves when the event loop has just looked at all sockets and found nothing, after 200 ms at the latest. The system resets connections that a closed
 * port has not accepted, and requests that a closed connection has not read: at such a moment there are hardly any.
 */
async function quietMoment(connections: Connections): Promise<void> {
  const deadline = performance.now() + 200;
  for (let at = performance.now(), activity = connections.activity(); at < deadline; ) {
    await new Promise(setImmediate);
    const now = performance.now();
    if (connections.activity() === activity && now - at < 0.3) return;
    at = now;
    activity = connections.activity();
  }
}
