import type { Config } from "../config/config.ts";

/** Where a link leads back to this host: HOST_ORIGIN, or where the request came in, by the protocol that a proxy of ours was asked by. */
export function getRequestOrigin(
  url: string,
  { HOST_ORIGIN }: Pick<Config, "HOST_ORIGIN">,
  forwarded: string | undefined,
): string {
  if (HOST_ORIGIN) return HOST_ORIGIN;
  const [protocol = "", , host = ""] = url.split("/", 3);
  return `${forwarded === "https" || forwarded === "http" ? `${forwarded}:` : protocol}//${host}`;
}
