/** The wider networks that an IPv6 /64 lies in: a subscriber usually has a /56 or a /48. Null of an IPv4 address. */
export interface Subnets {
  net56: string | null;
  net48: string | null;
}

/** Returns the /56 and the /48 of a network as `networkOf` writes it: an IPv4 address, `2001:db8:0:7::/64`, or "". */
export function subnetsOf(network: string): Subnets {
  const [, site, subnet = "0"] = /^([\da-f]{1,4}:[\da-f]{1,4}:[\da-f]{1,4}):([\da-f]{1,4})::\/64$/.exec(network) ?? [];
  if (!site) return { net56: null, net48: null };
  const upper = (Number.parseInt(subnet, 16) & 0xff00).toString(16);
  return { net56: `${site}:${upper}::/56`, net48: `${site}::/48` };
}
