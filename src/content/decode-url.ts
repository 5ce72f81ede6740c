/** Decodes a URL's path; returns an invalid one as it is. */
export function decodeUrl(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
