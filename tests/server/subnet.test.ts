import { describe, expect, it } from "vitest";
import { toClientNetwork } from "../../server/http/client-ip.ts";
import { toSubnets } from "../../server/modules/session/send-quota.ts";

describe("the subnets of an address", () => {
  it.each([
    ["2001:db8:0:7::5", "2001:db8:0:0::/56", "2001:db8:0::/48"],
    ["2001:db8:0:07ff::5", "2001:db8:0:700::/56", "2001:db8:0::/48"],
    ["2001:DB8::1", "2001:db8:0:0::/56", "2001:db8:0::/48"],
    ["fe80:1:2:abcd:1::%eth0", "fe80:1:2:ab00::/56", "fe80:1:2::/48"],
  ])("subnets of %s are %s and %s", (address, net56, net48) => {
    expect(toSubnets(toClientNetwork(address))).toEqual({ net56, net48 });
  });

  it.each(["203.0.113.9", "::ffff:203.0.113.9", "", "unknown"])("subnets of %j are null", (address) => {
    expect(toSubnets(toClientNetwork(address))).toEqual({ net56: null, net48: null });
  });
});
