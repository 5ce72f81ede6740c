import { variables } from "./variables.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a shop that others reach must say of itself; each name with another way to write it. */
const open = { PAYMENT: [], SMS: [], SEED: ["DEMO"] };

/** The variables that have no default here and are not set, as a sentence; null where none is missing. */
export function missingChoices(env: Environment): string | null {
  const reason = publicReason(env);
  const always = env.DATABASE_URL
    ? Object.entries(variables).flatMap(([name, row]) => ("embeddedOnly" in row ? [name] : []))
    : [];
  const missing = new Set(always.filter((name) => !env[name]));
  for (const [name, others] of Object.entries(open)) {
    if (reason && ![name, ...others].some((one) => env[one])) missing.add(name);
  }
  if (missing.size === 0) return null;
  const reasons = [...(env.DATABASE_URL ? ["DATABASE_URL"] : []), ...(reason ? [reason] : [])].join(" and ");
  return `With ${reasons} these have no default and must be set: ${[...missing].join(", ")}.`;
}

/** Why others than who sits at this machine may be expected, or null. */
function publicReason({ PUBLIC_SITE_ORIGIN = "", HOST = "" }: Environment): string | null {
  const site = URL.canParse(PUBLIC_SITE_ORIGIN) ? new URL(PUBLIC_SITE_ORIGIN) : null;
  // What is no origin has a sentence of its own.
  const isOrigin = site?.origin === PUBLIC_SITE_ORIGIN;
  if (site?.protocol === "https:" && isOrigin && !isLoopback(site.hostname)) return "a public PUBLIC_SITE_ORIGIN";
  return HOST && !isLoopback(HOST) ? "a HOST that other machines reach" : null;
}

function isLoopback(host: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}
