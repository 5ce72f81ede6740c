import { onlyInHeader } from "../content-security-policy.ts";

/** Headers of every response of a static host. The rest of each page's policy stands in its head. */
export const securityHeaders: Record<string, string> = {
  "Content-Security-Policy": onlyInHeader,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Strict-Transport-Security": "max-age=31536000",
};

/** For files with a content hash in their name. */
export const immutable = "public, max-age=31536000, immutable";
