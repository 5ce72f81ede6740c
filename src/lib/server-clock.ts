/** The host's time in milliseconds since the epoch, counted on from an answer's `server_time`; what the device's clock says does not matter. */
export type ServerClock = () => number;

export function serverClock(serverTime: string): ServerClock {
  const said = Date.parse(serverTime);
  const heard = performance.now();
  return () => said + performance.now() - heard;
}
