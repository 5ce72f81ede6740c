import { isIP } from "node:net";

/** Node's bindings; absent where the app is called in memory. */
export interface Bindings {
  incoming?: { socket: { remoteAddress?: string | undefined } };
}

/** Where an address is, as ceilings count it: an IPv4 address, or the /64 of an IPv6 address; "" for what is no address. It may stand as proxies write it. */
export function getClientNetwork(written: string): string {
  const address = addressIn(written);
  return isIP(address) === 6 ? `${prefix64(address)}::/64` : address;
}

/** The address in what a socket or a proxy says, without brackets, port, zone, and the prefix that IPv4 has on a socket for both; "" where there is none. */
export function addressIn(written: string): string {
  const address = written
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/%.*$/, "")
    .replace(/^::ffff:(?=\d+\.)/i, "");
  const plain = isIP(address) === 0 ? address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1") : address;
  return isIP(plain) === 0 ? "" : plain;
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
