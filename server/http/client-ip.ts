import { isIP } from "node:net";

/** Returns the network that rate limits count: an IPv4 address, or the /64 of an IPv6 address; "" for an invalid address. Accepts the notations of `parseIpAddress`. */
export function toClientNetwork(text: string): string {
  const address = parseIpAddress(text);
  return isIP(address) === 6 ? `${getPrefix64(address)}::/64` : address;
}

/** Extracts the IP address from what a socket or a proxy reports, without brackets, port, zone and the `::ffff:` of IPv4 on a dual-stack socket; "" without an address. */
export function parseIpAddress(text: string): string {
  const address = text
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/%.*$/, "")
    .replace(/^::ffff:(?=\d+\.)/i, "");
  const plain = isIP(address) === 0 ? address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1") : address;
  return isIP(plain) === 0 ? "" : plain;
}

function getPrefix64(address: string): string {
  // URL normalises an IPv6 address to its short notation; `::` stands for the missing zeros.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = short.split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(zeros).fill("0"), ...right].slice(0, 4).join(":");
}
