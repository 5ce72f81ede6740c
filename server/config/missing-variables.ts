import { type Environment, getFallback } from "./variable.ts";
import { variables } from "./variables.ts";

/** Variables that a public shop must set, each with its alternative names. */
const requiredInPublic = { PAYMENT: [], SMS: [], SEED: ["DEMO"] };

/** Returns a sentence that names the required variables that are not set; null when none is missing. */
export function describeMissingVariables(env: Environment): string | null {
  const reason = getPublicReason(env);
  const required = Object.entries(variables).filter(([, variable]) => getFallback(variable, env) === null);
  const missing = new Set(required.map(([name]) => name).filter((name) => !env[name]));
  for (const [name, aliases] of Object.entries(requiredInPublic)) {
    if (reason && ![name, ...aliases].some((alias) => env[alias])) missing.add(name);
  }
  if (missing.size === 0) return null;
  const reasons = [...(env.DATABASE_URL ? ["DATABASE_URL"] : []), ...(reason ? [reason] : [])].join(" and ");
  return `With ${reasons} these have no default and must be set: ${[...missing].join(", ")}.`;
}

/** Returns why clients on other machines are to be expected, or null. */
function getPublicReason({ PUBLIC_SITE_ORIGIN = "", HOST = "" }: Environment): string | null {
  const site = URL.canParse(PUBLIC_SITE_ORIGIN) ? new URL(PUBLIC_SITE_ORIGIN) : null;
  // An invalid origin is reported when the variable is parsed.
  const isOrigin = site?.origin === PUBLIC_SITE_ORIGIN;
  if (site?.protocol === "https:" && isOrigin && !isLoopback(site.hostname)) return "a public PUBLIC_SITE_ORIGIN";
  return HOST && !isLoopback(HOST) ? "a HOST that other machines reach" : null;
}

function isLoopback(host: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}
