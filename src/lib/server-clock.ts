/** Returns the server's time in ms since the epoch, counted from a response's `server_time`; independent of the device's clock. */
export type ServerClock = () => number;

export function createServerClock(serverTime: string): ServerClock {
  const serverStart = Date.parse(serverTime);
  const localStart = performance.now();
  return () => serverStart + performance.now() - localStart;
}
