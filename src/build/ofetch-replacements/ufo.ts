/** `base` is an origin or `/`, and `path` begins with `/`. */
export const withBase = (path: string, base: string): string => base.replace(/\/$/, "") + path;

/** `url` has no fragment. */
export function withQuery(url: string, query: Record<string, string>): string {
  const [path, before] = url.split("?");
  return `${path}?${new URLSearchParams([...new URLSearchParams(before), ...Object.entries(query)])}`;
}
