import { BlockList, isIP } from "node:net";
import type { Config } from "#server/config/config.ts";
import type { Bindings } from "./request.ts";

/** Returns the network that rate limits count: an IPv4 address, or the /64 of an IPv6 address; "" for an invalid address. Accepts the notations of `parseIpAddress`. */
export function toClientNetwork(text: string): string {
  const address = parseIpAddress(text);
  return isIP(address) === 6 ? `${getPrefix64(address)}::/64` : address;
}

/** Extracts the IP address from what a socket or a proxy reports, without brackets, port, zone and the `::ffff:` of IPv4 on a dual-stack socket; "" without an address. */
function parseIpAddress(text: string): string {
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

type Settings = Pick<Config, "TRUST_PROXY" | "TRUSTED_PROXIES">;
type Header = (name: string) => string | undefined;

/** Reads X-Forwarded-For and X-Forwarded-Proto of trusted proxies. */
export interface TrustedProxies {
  /** Returns the client's address: the one that a trusted proxy forwards, else the peer's. "" after the socket has closed. */
  getClientAddress(bindings: Bindings, header: Header): string;
  /** Returns the protocol between client and trusted proxy; undefined if none reports it. */
  getProtocol(bindings: Bindings, header: Header): string | undefined;
}

/**
 * Trusts X-Forwarded-For and X-Forwarded-Proto from peers in TRUSTED_PROXIES alone, and only with TRUST_PROXY above 0. Each proxy appends its peer's address, so
 * the last TRUST_PROXY entries alone are reliable. Prints one warning, for the first untrusted header.
 */
export function createTrustedProxies({ TRUST_PROXY, TRUSTED_PROXIES }: Settings): TrustedProxies {
  const trusted = toBlockList(TRUSTED_PROXIES);
  let hasWarned = false;

  function isTrusted(peer: string): boolean {
    if (TRUST_PROXY > 0 && isIP(peer) !== 0 && trusted.check(peer, getFamily(peer))) return true;
    if (!hasWarned) console.warn(formatWarning(TRUST_PROXY, peer));
    hasWarned = true;
    return false;
  }

  return {
    getClientAddress(bindings, header) {
      const peer = getPeer(bindings);
      const forwarded = header("x-forwarded-for");
      if (forwarded === undefined || !isTrusted(peer)) return peer;
      return parseIpAddress(forwarded.split(",").at(-TRUST_PROXY)?.trim() ?? "") || peer;
    },
    getProtocol(bindings, header) {
      const forwarded = header("x-forwarded-proto");
      if (forwarded === undefined || !isTrusted(getPeer(bindings))) return undefined;
      // The nearest proxy's entry is the last one; a client may send the others.
      return forwarded.split(",").at(-1)?.trim();
    },
  };
}

function formatWarning(proxies: number, peer: string): string {
  return proxies === 0
    ? "X-Forwarded-For or -Proto is ignored because TRUST_PROXY is 0: all clients of that proxy count as one visitor. Set TRUST_PROXY behind a proxy."
    : `X-Forwarded-For or -Proto from ${peer || "an unknown peer"} is ignored: the peer is not in TRUSTED_PROXIES.`;
}

function getPeer(bindings: Bindings): string {
  return parseIpAddress(bindings.incoming.socket.remoteAddress ?? "");
}

function toBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    if (bits === undefined) list.addAddress(address, getFamily(address));
    else list.addSubnet(address, Number(bits), getFamily(address));
  }
  return list;
}

function getFamily(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
