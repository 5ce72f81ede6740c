import { createHash } from "node:crypto";
import type { Tag } from "./html.ts";

export interface Origins {
  /** What browsers call, when it is not the site's own origin. */
  api: string;
  /** Where pictures of goods and members may lie, beside the site's own origin and the API's. */
  pictures: string[];
  /** The visitor statistics' script, when there is one. */
  statistics: { script: string; sends: string[] } | null;
}

/** An address of a site or host as it is put before paths: without a path of its own, not even a slash. Throws for anything else. */
function bareOrigin(name: string, value = ""): string {
  if (value && (!URL.canParse(value) || new URL(value).origin !== value))
    throw new Error(`${name} is not an origin such as https://api.example: ${value}`);
  return value;
}

/** What the build is told of the outside. Throws when a variable is not an address. */
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
    pictures: parseList(env.PUBLIC_PICTURE_ORIGINS).map((one) => bareOrigin("PUBLIC_PICTURE_ORIGINS", one)),
    statistics: script
      ? {
          script: parseOrigin("PUBLIC_STATISTICS_SCRIPT", script),
          sends: sends.map((one) => parseOrigin("PUBLIC_STATISTICS_ORIGINS", one)),
        }
      : null,
  };
}

const parseList = (value = "") => value.split(/[ ,]+/).filter(Boolean);

// Data blocks are never run; everything else between script tags is.
const data = /^application\/(ld\+)?json$/;
const hashes = new Map<string, string>();

/** What every page may do, its own scripts and styles aside: nothing foreign but the API, named statistics and named pictures. Astro is configured with them. */
export function directives({ api, pictures, statistics }: Origins) {
  const externalOrigins = [api, ...(statistics ? [statistics.script, ...statistics.sends] : [])]
    .map((one) => one && ` ${one}`)
    .join("");
  return [
    "default-src 'none'",
    `img-src 'self' data:${externalOrigins}${pictures.map((one) => ` ${one}`).join("")}`,
    "font-src 'self'",
    `connect-src 'self'${externalOrigins}`,
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    statistics ? "trusted-types statistics" : "trusted-types 'none'",
  ] as const;
}

/** The tightest policy that a page works under: the directives, and its own inline scripts and styles by hash. Astro's has those of all pages. Statistics run where the page says so. */
export function toPolicy(tags: Tag[], { statistics, ...others }: Origins): string {
  const isCounted = tags.some(({ name, attributes }) => name === "html" && attributes.has("data-statistics"));
  const origins = { ...others, statistics: isCounted ? statistics : null };
  const inline = tags.filter(({ text, attributes }) => text && !attributes.has("src"));
  const scripts = inline.filter(({ name, attributes }) => name === "script" && !data.test(attributes.get("type") ?? ""));
  const styles = inline.filter(({ name }) => name === "style");
  const foreign = origins.statistics ? ` ${origins.statistics.script}` : "";
  return [
    ...directives(origins),
    `script-src 'self'${foreign}${formatHashes(scripts)}`,
    `style-src 'self'${formatHashes(styles)}`,
  ].join("; ");
}

/** Only a header can say this. */
export const onlyInHeader = "frame-ancestors 'none'";

/** What no policy of ours lets through, said at build instead of in a visitor's console. */
export function findForbidden(tags: Tag[]): string | null {
  for (const { name, attributes } of tags) {
    for (const attribute of attributes.keys()) {
      if (attribute === "style" || /^on[a-z]/.test(attribute)) return `<${name} ${attribute}="${attributes.get(attribute)}">`;
    }
  }
  return null;
}

function formatHashes(tags: Tag[]): string {
  return [...new Set(tags.map(({ text }) => ` 'sha256-${getHash(text ?? "")}'`))].sort().join("");
}

function getHash(text: string): string {
  const hash = hashes.get(text) ?? createHash("sha256").update(text.replace(/\r\n?/g, "\n")).digest("base64");
  hashes.set(text, hash);
  return hash;
}
