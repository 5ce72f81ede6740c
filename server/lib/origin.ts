import type { Config } from "../config.ts";

interface Request {
  url: string;
  header(name: string): string | undefined;
}

/** Where a link leads back to this host: HOST_ORIGIN, or where the request came in. A proxy of ours says by which protocol. */
export function originOf(request: Request, { HOST_ORIGIN, TRUST_PROXY }: Pick<Config, "HOST_ORIGIN" | "TRUST_PROXY">): string {
  if (HOST_ORIGIN) return HOST_ORIGIN;
  const [protocol = "", , host = ""] = request.url.split("/", 3);
  const forwarded = TRUST_PROXY > 0 ? request.header("x-forwarded-proto")?.split(",").at(-1)?.trim() : undefined;
  return `${forwarded === "https" || forwarded === "http" ? `${forwarded}:` : protocol}//${host}`;
}
