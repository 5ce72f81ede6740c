import type { Config } from "../config.ts";

interface Request {
  url: string;
  header(name: string): string | undefined;
}

/** The protocol that the nearest proxy was asked by; what stands before it in the header may be anybody's. */
export function forwardedProtocol(header: string | undefined): string | undefined {
  return header?.split(",").at(-1)?.trim();
}

/** Where a link leads back to this host: HOST_ORIGIN, or where the request came in. A proxy of ours says by which protocol. */
export function originOf(request: Request, { HOST_ORIGIN, TRUST_PROXY }: Pick<Config, "HOST_ORIGIN" | "TRUST_PROXY">): string {
  if (HOST_ORIGIN) return HOST_ORIGIN;
  const [protocol = "", , host = ""] = request.url.split("/", 3);
  const forwarded = TRUST_PROXY > 0 ? forwardedProtocol(request.header("x-forwarded-proto")) : undefined;
  return `${forwarded === "https" || forwarded === "http" ? `${forwarded}:` : protocol}//${host}`;
}
