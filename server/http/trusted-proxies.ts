import { BlockList, isIP } from "node:net";
import type { Config } from "../config/config.ts";
import { addressIn, type Bindings } from "./client-ip.ts";

type Settings = Pick<Config, "TRUST_PROXY" | "TRUSTED_PROXIES">;
type Header = (name: string) => string | undefined;

/** What stands before the host: whose forwarded headers count, and what they mean. */
export interface Proxies {
  /** The visitor's address: what a trusted proxy forwards, else the peer's own. "" where there is no socket. */
  addressOf(bindings: Bindings | undefined, header: Header): string;
  /** The protocol that a trusted proxy was asked by; undefined where none says. */
  protocolOf(bindings: Bindings | undefined, header: Header): string | undefined;
}

/**
 * Believes X-Forwarded-For and X-Forwarded-Proto from peers in TRUSTED_PROXIES alone, and only with TRUST_PROXY above 0. Each proxy appends the address that it
 * was called from, so only as many entries from the right as there are proxies are true. The first header that is not believed is printed through `warn`.
 */
export function createProxies(
  { TRUST_PROXY, TRUSTED_PROXIES }: Settings,
  warn: (line: string) => void = console.warn,
): Proxies {
  const trusted = listOf(TRUSTED_PROXIES);
  let isWarned = false;

  function isTrusted(peer: string): boolean {
    if (TRUST_PROXY > 0 && isIP(peer) !== 0 && trusted.check(peer, familyOf(peer))) return true;
    if (!isWarned) warn(warningOf(TRUST_PROXY, peer));
    isWarned = true;
    return false;
  }

  return {
    addressOf(bindings, header) {
      const peer = peerOf(bindings);
      const forwarded = header("x-forwarded-for");
      if (forwarded === undefined || !isTrusted(peer)) return peer;
      return addressIn(forwarded.split(",").at(-TRUST_PROXY)?.trim() ?? "") || peer;
    },
    protocolOf(bindings, header) {
      const forwarded = header("x-forwarded-proto");
      if (forwarded === undefined || !isTrusted(peerOf(bindings))) return undefined;
      // The nearest proxy's; what stands before it may be anybody's.
      return forwarded.split(",").at(-1)?.trim();
    },
  };
}

function warningOf(proxies: number, peer: string): string {
  return proxies === 0
    ? "X-Forwarded-For or -Proto arrives, and TRUST_PROXY is 0: not believed, everybody behind that proxy counts as one visitor. Behind a proxy set TRUST_PROXY."
    : `X-Forwarded-For or -Proto arrives from ${peer || "an unknown peer"}, which is not in TRUSTED_PROXIES: not believed.`;
}

function peerOf(bindings: Bindings | undefined): string {
  return addressIn(bindings?.incoming?.socket.remoteAddress ?? "");
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
