/** The networks that contain an IPv6 /64: a subscriber usually has a /56 or a /48. Null for IPv4. */
export interface Subnets {
  net56: string | null;
  net48: string | null;
}

/** Returns the /56 and the /48 of a network in the notation of `toClientNetwork`: an IPv4 address, `2001:db8:0:7::/64`, or "". */
export function toSubnets(network: string): Subnets {
  const [, site, subnet = "0"] = /^([\da-f]{1,4}:[\da-f]{1,4}:[\da-f]{1,4}):([\da-f]{1,4})::\/64$/.exec(network) ?? [];
  if (!site) return { net56: null, net48: null };
  const upper = (Number.parseInt(subnet, 16) & 0xff00).toString(16);
  return { net56: `${site}:${upper}::/56`, net48: `${site}::/48` };
}
