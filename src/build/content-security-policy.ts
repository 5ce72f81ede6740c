// The content security policy of pages: directives, hashes, external origins from the environment; and the check that pages obey it.

import { createHash } from "node:crypto";
import type { Tag } from "./html.ts";

export interface Origins {
  /** Origin of the API, when it is not the site's; otherwise empty. */
  api: string;
  /** Origins of pictures of goods and members, other than the site's and the API's. */
  pictures: string[];
  /** Script and origins of the visitor statistics, if any. */
  statistics: { script: string; sends: string[] } | null;
  hasServiceWorker?: boolean;
  hasManifest?: boolean;
}

export function isServiceWorkerOn(env: Record<string, string | undefined>): boolean {
  return env.PUBLIC_OFFLINE !== "false";
}

/** Returns the value of a variable. Throws unless it is empty or an origin without a path or trailing slash. */
function bareOrigin(name: string, value = ""): string {
  if (value && (!URL.canParse(value) || new URL(value).origin !== value))
    throw new Error(`${name} is not an origin such as https://api.example: ${value}`);
  return value;
}

/** Returns the origin of the site: PUBLIC_SITE_ORIGIN, or that of the server on this machine. */
export function getSiteOrigin({ PUBLIC_SITE_ORIGIN, PORT }: Record<string, string | undefined>): string {
  return PUBLIC_SITE_ORIGIN || `http://localhost:${Number(PORT) || 4321}`;
}

/** Reads the external origins from the environment. Throws when a variable is not an origin, or of the statistics not a URL. */
export function toOrigins(env: Record<string, string | undefined>): Origins {
  const parseOrigin = (name: string, value: string) => {
    if (!URL.canParse(value)) throw new Error(`${name} is not an address: ${value}`);
    return new URL(value).origin;
  };
  bareOrigin("PUBLIC_SITE_ORIGIN", env.PUBLIC_SITE_ORIGIN);
  const script = env.PUBLIC_STATISTICS_SCRIPT;
  const sends = parseList(env.PUBLIC_STATISTICS_ORIGINS);
  return {
    api: bareOrigin("PUBLIC_API_ORIGIN", env.PUBLIC_API_ORIGIN),
    pictures: parseList(env.PUBLIC_PICTURE_ORIGINS).map((origin) => bareOrigin("PUBLIC_PICTURE_ORIGINS", origin)),
    statistics: script
      ? {
          script: parseOrigin("PUBLIC_STATISTICS_SCRIPT", script),
          sends: sends.map((origin) => parseOrigin("PUBLIC_STATISTICS_ORIGINS", origin)),
        }
      : null,
    hasServiceWorker: isServiceWorkerOn(env),
    hasManifest: true,
  };
}

const parseList = (value = "") => value.split(/[ ,]+/).filter(Boolean);

/** Returns the directives that all pages share. The only external origins are those of API, statistics and pictures. */
export function directives({ api, pictures, statistics, hasServiceWorker, hasManifest }: Origins) {
  const policies = [statistics && "statistics", hasServiceWorker && "worker"].filter(Boolean).join(" ");
  const externalOrigins = [api, ...(statistics ? [statistics.script, ...statistics.sends] : [])]
    .map((origin) => origin && ` ${origin}`)
    .join("");
  return [
    "default-src 'none'",
    `img-src 'self' data:${externalOrigins}${pictures.map((origin) => ` ${origin}`).join("")}`,
    "font-src 'self'",
    "media-src 'self'",
    `connect-src 'self'${externalOrigins}`,
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    `trusted-types ${policies || "'none'"}`,
    ...(hasServiceWorker ? (["worker-src 'self'"] as const) : []),
    ...(hasManifest ? (["manifest-src 'self'"] as const) : []),
  ] as const;
}

/** Returns the policy of a page: the directives, and the hashes of its inline scripts and styles. */
export function toPolicy(origins: Origins, scripts: readonly string[], styles: readonly string[]): string {
  const format = (hashes: readonly string[]) => [...new Set(hashes)].sort().map((hash) => ` '${hash}'`);
  return [
    ...directives(origins),
    `script-src 'self'${origins.statistics ? ` ${origins.statistics.script}` : ""}${format(scripts).join("")}`,
    `style-src 'self'${format(styles).join("")}`,
  ].join("; ");
}

/** Returns the hash of an inline script or style. Normalizes line breaks, as browsers do. */
export const toHash = (text: string): string =>
  `sha256-${createHash("sha256").update(text.replace(/\r\n?/g, "\n")).digest("base64")}`;

/** Types of scripts that browsers do not run. */
const data = new Set(["application/json", "application/ld+json"]);

/** Returns the inline scripts of a page with their hashes. Throws if the build has not written one: it is neither in Astro's policy nor in `recorded` (`buildRecord.scripts`). */
export function readHashes(
  tags: readonly Tag[],
  recorded: ReadonlySet<string>,
  astroPolicy: string,
): { tag: Tag; hash: string }[] {
  const isInline = ({ name, attributes, text }: Tag) =>
    name === "script" && text && !attributes.has("src") && !data.has(attributes.get("type") ?? "");
  return tags.filter(isInline).map((tag) => {
    const text = tag.text ?? "";
    const hash = toHash(text);
    if (!recorded.has(text) && !astroPolicy.includes(`'${hash}'`))
      throw new Error(`the build has not written the inline script ${text.trim().slice(0, 100)}`);
    return { tag, hash };
  });
}

/** The directive that pages need in a header, because browsers ignore it in a `<meta>`. */
export const onlyInHeader = "frame-ancestors 'none'";

/** Returns the first style attribute or event handler, which the policy would block in the browser; null if there is none. */
export function findForbidden(tags: readonly Tag[]): string | null {
  for (const { name, attributes } of tags)
    for (const attribute of attributes.keys())
      if (attribute === "style" || attribute.startsWith("on")) return `<${name} ${attribute}="${attributes.get(attribute)}">`;
  return null;
}
