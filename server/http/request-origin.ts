import type { Config } from "../config/config.ts";

/** Returns the origin for links back to this server: HOST_ORIGIN, else the origin of the request with the protocol that a trusted proxy reports. */
export function getRequestOrigin(
  url: string,
  { HOST_ORIGIN }: Pick<Config, "HOST_ORIGIN">,
  forwardedProtocol: string | undefined,
): string {
  if (HOST_ORIGIN) return HOST_ORIGIN;
  const [protocol = "", , host = ""] = url.split("/", 3);
  const isForwarded = forwardedProtocol === "https" || forwardedProtocol === "http";
  return `${isForwarded ? `${forwardedProtocol}:` : protocol}//${host}`;
}
