// The security headers that static hosts send with every response. The rest of the content security policy is in the `<meta>` of each page.

import { onlyInHeader } from "../content-security-policy.ts";

export const resourcePolicy = "Cross-Origin-Resource-Policy";

export const securityHeaders: Record<string, string> = {
  "Content-Security-Policy": onlyInHeader,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  [resourcePolicy]: "same-origin",
  "Strict-Transport-Security": "max-age=31536000",
};
