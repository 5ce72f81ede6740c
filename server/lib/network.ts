import { isIP } from "node:net";

/** Node's bindings; absent where the app is called in memory. */
export interface Bindings {
  incoming?: { socket: { remoteAddress?: string | undefined } };
}

/**
 * Where a request comes from, as ceilings count it: an IPv4 address, or the /64 of an IPv6 address.
 * `proxies` is how many in front are ours: each appends the address it was called from to X-Forwarded-For, so only that many entries from the right are true.
 */
export function networkOf(bindings: Bindings | undefined, forwarded: string | undefined, proxies: number): string {
  const remote = bindings?.incoming?.socket.remoteAddress ?? "";
  if (proxies === 0) return network(remote);
  const hops = (forwarded ?? "").split(",").map((hop) => hop.trim());
  return network(hops.at(-proxies) ?? "") || network(remote);
}

function network(written: string): string {
  if (isIP(written) === 4) return written;
  const address = written
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/%.*$/, "")
    .replace(/^::ffff:(?=\d+\.)/i, "");
  const plain = isIP(address) === 0 ? address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1") : address;
  if (isIP(plain) === 4) return plain;
  return isIP(plain) === 6 ? `${prefix64(plain)}::/64` : "";
}

function prefix64(address: string): string {
  // URL writes an IPv6 address in its one short form; `::` stands for as many zeros as are missing.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = short.split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(zeros).fill("0"), ...right].slice(0, 4).join(":");
}
